import { logLines } from '../support/log-lines.ts';
import { takeOriginFaults } from '../support/origin-faults.ts';

beforeEach(() => {
  logLines.length = 0;
});
afterEach(() => expect(takeOriginFaults()).toEqual([]));
