import integration, { common } from './jest.config.js';

process.env.SOAK = 'true';

/** Unit tests that try more cases then (`test/support/soak.ts`). */
const REPEATED = [
  'access/budgets',
  'access/rate-limiter',
  'access/tokens',
  'blueprints/depths',
  'blueprints/hostile',
  'blueprints/projects',
  'client/event-stream',
  'client/faults',
  'client/resumption',
  'deployments/known-files',
  'generation/attempt/output-parser',
  'generation/attempt/whole-projects',
  'generation/problems/problems',
  'platform/webhook-url',
  'sites/references',
  'sites/rules/headers',
  'sites/rules/redirects',
];

/** What is too long for every run of `npm test`: hundreds of crashes and edits, 10,000 hostile requests, dozens of generations at once, repeated synthesis. */
export default {
  ...common,
  testMatch: [
    '<rootDir>/test/soak/**/*.test.ts',
    '<rootDir>/test/attacks/{openapi,waits}.test.ts',
    '<rootDir>/test/browser/look/attacks.test.ts',
    ...REPEATED.map((file) => `<rootDir>/test/unit/${file}.test.ts`),
  ],
  globalSetup: '<rootDir>/test/support/cloud/start-cloud.ts',
  globalTeardown: '<rootDir>/test/support/cloud/stop-cloud.ts',
  setupFilesAfterEnv: [...common.setupFilesAfterEnv, '<rootDir>/test/support/cloud/wait-for-cloud.ts'],
  testTimeout: integration.testTimeout,
  maxWorkers: 1,
};
