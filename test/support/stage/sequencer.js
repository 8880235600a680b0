import Default from '@jest/test-sequencer';

/** Runs files in the order of their names, so that the output of the smoke test has the same order each time. */
export default class Sequencer extends Default {
  sort(tests) {
    return [...tests].sort((a, b) => a.path.localeCompare(b.path));
  }
}
