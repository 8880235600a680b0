import all, { common } from './jest.config.js';

/** The tests of the emulator itself, which `.ci/run` leaves out if nothing that they test has changed: see `.ci/emulator-changed`. */
export default {
  ...common,
  testMatch: ['<rootDir>/test/emulator/**/*.test.ts'],
  testTimeout: all.testTimeout,
  maxWorkers: all.maxWorkers,
  silent: all.silent,
};
