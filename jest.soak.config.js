import integration, { common } from './jest.config.js';

/** What is too long for every run of `npm test`: hundreds of crashes and edits, dozens of generations at once, repeated synthesis. */
export default {
  ...common,
  testMatch: ['<rootDir>/test/soak/**/*.test.ts'],
  globalSetup: '<rootDir>/test/integration/start-cloud.ts',
  globalTeardown: '<rootDir>/test/integration/stop-cloud.ts',
  setupFilesAfterEnv: [...common.setupFilesAfterEnv, '<rootDir>/test/integration/wait-for-cloud.ts'],
  testTimeout: integration.testTimeout,
  maxWorkers: 1,
};
