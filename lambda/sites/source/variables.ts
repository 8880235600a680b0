import { parseEnv } from 'node:util';
import { VARIABLE_LIMITS } from '../../contract/builds.ts';
import { ApiError } from '../../contract/errors.ts';
import type { SiteFile } from '../site-file.ts';

/** Of the files that Vite reads in a production build, those that are meant to be shared; the last one takes precedence. */
const READ = ['.env', '.env.production'];

/** Returns whether a file may have secrets: it is read for a build, and never stored or published. */
export function isEnvFile(path: string): boolean {
  return path.slice(path.lastIndexOf('/') + 1).startsWith('.env');
}

/**
 * Returns the `VITE_*` variables of the `.env` and `.env.production` files in the folders from the root to that of a page, or
 * undefined if there are no such files. Other variables may be secrets.
 * @param page path of the page that loads the source
 * @throws ApiError build_failed beyond the limits of `env`
 */
export function readVariables(
  files: readonly Pick<SiteFile, 'path' | 'content'>[],
  page: string,
): Record<string, string> | undefined {
  const order = foldersOf(page).flatMap((folder) => READ.map((name) => folder + name));
  const read = files
    .filter(({ path }) => order.includes(path))
    .toSorted((a, b) => order.indexOf(a.path) - order.indexOf(b.path));
  if (read.length === 0) return undefined;
  const variables = new Map<string, string>();
  for (const { path, content } of read) {
    const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
    for (const [name, value = ''] of Object.entries(parseEnv(text)))
      if (name.startsWith('VITE_')) variables.set(name, value);
    requireFew(path, variables);
  }
  return Object.fromEntries(variables);
}

/** Returns the folders that a path is in, the root first: `['', 'a/', 'a/b/']`. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return ['', ...names.map((_, i) => `${names.slice(0, i + 1).join('/')}/`)];
}

function requireFew(path: string, variables: ReadonlyMap<string, string>): void {
  const { names, bytes } = VARIABLE_LIMITS;
  const size = Buffer.byteLength([...variables].flat().join(''));
  if (variables.size <= names && size <= bytes) return;
  const message = `There are ${variables.size} VITE_ variables with ${size} bytes: at most ${names} with ${bytes} bytes are accepted`;
  throw new ApiError('build_failed', `${path}: ${message}`, { body: { problems: [{ message, path }] } });
}
