import { isbot } from 'isbot';

/** Returns whether a user agent is that of a program: by the list of `isbot`, which is updated with its package, or by having none. */
export function isBot(userAgent: string): boolean {
  return userAgent === '' || isbot(userAgent);
}
