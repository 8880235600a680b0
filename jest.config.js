import { availableParallelism } from 'node:os';
import { join } from 'node:path';

// The processes that tests start find their modules compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node');
// The CDK would validate each template for 2 s; `test/scenarios/infra/validation.test.ts` validates those of many configurations.
process.env.CDK_VALIDATION ??= 'false';
// With a configuration file, a service that a test starts does not look for keys and model servers of this machine.
process.env.CONFIG_FILE = 'config/local.json';

export const common = {
  // Node runs TypeScript itself, and all test files of a worker share what they import.
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  runtime: '<rootDir>/test/jest/native-runtime.ts',
  testEnvironment: '<rootDir>/test/jest/native-environment.ts',
  setupFilesAfterEnv: ['<rootDir>/test/jest/setup.ts'],
  // Build output, and the package.json files of starter projects, are not packages of this repository.
  modulePathIgnorePatterns: ['<rootDir>/cdk.out/', '<rootDir>/.local/', '<rootDir>/blueprints/.*/package.json'],
};

/** `npm test`: unit tests, the template, and the contract over HTTP on one local cloud. */
export default {
  // A test that hangs, not one on a busy machine.
  testTimeout: 300_000,
  // Each worker evaluates what its test files import once, so more workers than cores only repeat that.
  maxWorkers: availableParallelism(),
  // What functions log. `npm test -- --silent=false` shows it.
  silent: true,
  // A worker ends at once, but its memory takes the system a second.
  workerGracefulExitTimeout: 10_000,
  projects: [
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.ts'] },
    {
      ...common,
      displayName: 'infra',
      testMatch: ['<rootDir>/test/infra/**/*.test.ts'],
      globalSetup: '<rootDir>/test/infra/start-templates.ts',
      globalTeardown: '<rootDir>/test/infra/stop-templates.ts',
    },
    {
      ...common,
      displayName: 'contract',
      testMatch: ['<rootDir>/test/contract/**/*.test.ts'],
      globalSetup: '<rootDir>/test/contract/start.ts',
      globalTeardown: '<rootDir>/test/support/cloud/stop-cloud.ts',
      setupFilesAfterEnv: [
        ...common.setupFilesAfterEnv,
        '<rootDir>/test/contract/use-cloud.ts',
        '<rootDir>/test/support/cloud/wait-for-cloud.ts',
        '<rootDir>/test/support/cloud/check-each-test.ts',
      ],
    },
  ],
};
