import { common } from './jest.config.js';

/** The tests that drive a real browser: Chromium or Chrome, which `PTP_CHROMIUM` can name. */
export default {
  ...common,
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  testTimeout: 120_000,
  maxWorkers: 2,
};
