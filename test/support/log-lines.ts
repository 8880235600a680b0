import { writeLogTo } from '../../lambda/platform/log.ts';

/** What the code under test has logged in this test, a line of JSON each. */
export const logLines: string[] = [];

writeLogTo((line) => void logLines.push(line));
beforeEach(() => {
  logLines.length = 0;
});
