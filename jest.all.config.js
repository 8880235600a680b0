import { availableParallelism } from 'node:os';
import { common } from './jest.config.js';

process.env.SOAK = 'true';
// Shared clouds outlive the test file that starts them, after which the environment is set back. See `startService`.
process.env.RUST_MIN_STACK ??= String(256 * 1_048_576);

/** Unit tests that have found mistakes with more random cases (`test/support/soak.ts`). */
const REPEATED = ['client/resumption', 'generation/attempt/output-parser', 'sites/references'].map(
  (file) => `<rootDir>/test/unit/${file}.test.ts`,
);

const cloud = {
  globalSetup: '<rootDir>/test/support/cloud/start-cloud.ts',
  globalTeardown: '<rootDir>/test/support/cloud/stop-cloud.ts',
};
const WAIT = '<rootDir>/test/support/cloud/wait-for-cloud.ts';
const CHECK = '<rootDir>/test/support/cloud/check-each-test.ts';

/** A part of `npm run test:all`, which `--selectProjects` runs alone. */
const part = (displayName, setupFiles, options = {}) => ({
  ...common,
  displayName,
  testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
  setupFilesAfterEnv: [...common.setupFilesAfterEnv, ...setupFiles],
  ...options,
});

/** `npm run test:all`: what takes longer than `npm test`, and proves what nothing there does. */
export default {
  // A test that hangs, not one on a busy machine.
  testTimeout: 600_000,
  // With more, browsers and clouds starve each other.
  maxWorkers: availableParallelism(),
  silent: true,
  // A worker ends at once, but its memory takes the system a second.
  workerGracefulExitTimeout: 10_000,
  projects: [
    part('scenarios', [WAIT, CHECK], {
      ...cloud,
      testPathIgnorePatterns: ['<rootDir>/test/scenarios/contract/'],
    }),
    // On the cloud of `npm test`: what goes beyond a line of the contract.
    part('contract', ['<rootDir>/test/contract/use-cloud.ts', WAIT, CHECK], {
      ...cloud,
      globalSetup: '<rootDir>/test/contract/start.ts',
      testMatch: ['<rootDir>/test/scenarios/contract/**/*.test.ts'],
    }),
    part('attacks', [WAIT, CHECK], cloud),
    part('soak', [WAIT], { ...cloud, testMatch: ['<rootDir>/test/soak/**/*.test.ts', ...REPEATED] }),
    part('browser', ['<rootDir>/test/browser/setup.ts'], {
      globalTeardown: '<rootDir>/test/browser/teardown.ts',
    }),
    part('emulator', []),
  ],
};
