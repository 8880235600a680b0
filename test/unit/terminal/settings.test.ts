import { resolve } from 'node:path';
import { readSettings } from '../../../terminal/settings.ts';
import { testRows } from '../../support/rows.ts';

testRows([{}, { PORT: '', BACKEND_PORT: '', STATE_DIR: '', CONFIG_FILE: '' }])('has defaults', (env) => {
  expect(readSettings(env)).toEqual({
    port: 3000,
    backendPort: 3009,
    stateDir: resolve('.local'),
    configFile: resolve('config/local.json'),
  });
});

testRows([
  [{ PORT: '0' }, 'Invalid PORT "0": expected a port from 1 to 65535'],
  [{ BACKEND_PORT: 'x' }, 'Invalid BACKEND_PORT "x": expected a port from 1 to 65535'],
  [{ PORT: '3009' }, 'PORT and BACKEND_PORT are both 3009: set them to different ports'],
])('rejects an invalid value', (env, message) => {
  expect(() => readSettings(env)).toThrow(message);
});

it('rejects a STATE_DIR that is a file', () => {
  expect(() => readSettings({ STATE_DIR: 'package.json' })).toThrow(
    `Invalid STATE_DIR ${resolve('package.json')}: it is a file, not a folder`,
  );
});
