import { writeLogTo } from '../../lambda/platform/log.ts';

/** The JSON lines that the code under test has logged in this test. */
export const logLines: string[] = [];

writeLogTo((line) => void logLines.push(line));
