import { posix } from 'node:path';
import { globMatcher } from '../glob-pattern.ts';

/** Returns a test of paths for a pattern, relative to a folder. A pattern of a folder matches what is in it. */
export function pathMatcher(pattern: string, folder: string): (path: string) => boolean {
  const absolute = posix.join('/', pattern.startsWith('/') ? '' : folder, pattern);
  const matchers = [absolute, posix.join(absolute, '**')].map((each) => globMatcher(each, true));
  return (path) => matchers.some((matches) => matches(path));
}
