import { count } from '../../terminal/text.ts';
import type { Manifest } from '../folder/manifest.ts';
import { UNUSED } from '../folder/source/source.ts';

/** Returns what a user should know before files are sent: what is left out although it may matter, and what becomes public. */
export function noticesOf({ leftOut, variables = [] }: Manifest): string[] {
  const pathsOf = (reason: string) =>
    leftOut.filter((file) => file.reason === reason).map(({ path }) => path);
  const read = new Set(variables.map(({ file }) => file));
  const secrets = pathsOf('may have secrets').map(
    (path) => `Left out ${read.has(path) ? 'the rest of ' : ''}${path}: may have secrets`,
  );
  const maps = pathsOf('source map').length;
  const unused = pathsOf(UNUSED).length;
  const named = variables.map(({ name, file }) => `${name} of ${file}`).join(', ');
  return [
    ...(named === '' ? [] : [`Sending ${named}: everyone who opens the page can read that`]),
    ...secrets,
    ...(maps === 0 ? [] : [`Left out ${count(maps, 'source map')}: --source-maps includes them`]),
    ...(unused === 0 ? [] : [`Left out ${count(unused, 'file')} that nothing imports: --dry-run lists them`]),
  ];
}
