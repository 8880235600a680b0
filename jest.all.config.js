import { availableParallelism } from 'node:os';
import { common } from './jest.config.js';

const cloud = {
  globalSetup: '<rootDir>/test/support/cloud/start-cloud.ts',
  globalTeardown: '<rootDir>/test/support/cloud/stop-cloud.ts',
};

/** A part of `npm run test:all`, which `--selectProjects` runs alone. */
const part = (displayName, setup, options = {}) => ({
  ...common,
  displayName,
  testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
  setupFilesAfterEnv: [...common.setupFilesAfterEnv, ...setup.map((file) => `<rootDir>/test/${file}`)],
  ...options,
});

/** `npm run test:all`: what takes longer than `npm test`, and proves what nothing there does. */
export default {
  // A test that hangs, not one on a busy machine.
  testTimeout: 120_000,
  // Much of it is waiting, so that one worker more than there are cores keeps them busy.
  maxWorkers: availableParallelism() + 1,
  silent: true,
  testSequencer: '<rootDir>/test/sequencer.js',
  projects: [
    part('integration', ['support/cloud/wait-for-cloud.ts', 'support/cloud/check-each-test.ts'], cloud),
    part('attacks', ['support/cloud/wait-for-cloud.ts', 'support/cloud/check-each-test.ts'], cloud),
    part('soak', ['support/cloud/wait-for-cloud.ts'], cloud),
    part('browser', ['browser/setup.ts'], { globalTeardown: '<rootDir>/test/browser/teardown.ts' }),
  ],
};
