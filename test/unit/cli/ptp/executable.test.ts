import { accessSync, constants } from 'node:fs';

it('is a file that npx may execute', () => {
  expect(() => accessSync('bin/ptp.js', constants.X_OK)).not.toThrow();
});
