import unit from './jest.config.js';

const [{ transform, extensionsToTreatAsEsm, testEnvironment }] = unit.projects;

/** The tests that drive a real browser: Debian's chromium, or the one that CHROMIUM names. */
export default {
  transform,
  extensionsToTreatAsEsm,
  testEnvironment,
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  testTimeout: 30_000,
};
