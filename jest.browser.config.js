import { common } from './jest.config.js';

/** The tests that drive a real browser: Debian's chromium, or the one that CHROMIUM names. */
export default {
  ...common,
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  testTimeout: 120_000,
  maxWorkers: 2,
};
