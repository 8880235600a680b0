import { readdirSync, readFileSync } from 'node:fs';
import config, { common } from './jest.config.js';

/** The files with tests that a stage can answer. */
const FILES = readdirSync('test/contract').filter((file) =>
  readFileSync(`test/contract/${file}`, 'utf8').includes('onStage({'),
);

/** The tests of the contract that `npm run smoke` runs against a stage; it selects them by their names. */
export default {
  ...common,
  testMatch: FILES.map((file) => `<rootDir>/test/contract/${file}`),
  setupFilesAfterEnv: [...common.setupFilesAfterEnv, '<rootDir>/test/support/cloud/check-each-test.ts'],
  reporters: ['<rootDir>/test/support/stage/reporter.ts'],
  testSequencer: '<rootDir>/test/support/stage/sequencer.js',
  testTimeout: config.testTimeout,
  silent: true,
};
