import { logLines } from '../support/log-lines.ts';
import { takeOriginFaults } from '../support/origin-faults.ts';

// What a cloud that the files of a worker share recorded after the last file is not this file's.
takeOriginFaults();

beforeEach(() => {
  logLines.length = 0;
});
afterEach(() => expect(takeOriginFaults()).toEqual([]));
// Nor do faults after its last test go unnoticed.
afterAll(() => expect(takeOriginFaults()).toEqual([]));
