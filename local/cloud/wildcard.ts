/** Returns the source of a regular expression for a pattern in which `*` is any text and `?` any character. */
export function wildcardSource(pattern: string): string {
  return pattern
    .replace(/[.+^$(){}|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
}
