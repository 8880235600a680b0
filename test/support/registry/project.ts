import type { Files } from '../../../lambda/builds/files.ts';

/** Returns files by path. */
export function filesOf(texts: Readonly<Record<string, string>>): Files {
  return new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]));
}

/** Returns a project of a package.json with these dependencies, one a line from the third line on. */
export function projectWith(
  dependencies: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> = {},
): Files {
  const manifest = JSON.stringify({ dependencies }, null, 2);
  return filesOf({ 'package.json': manifest, ...others });
}
