import { type Files, textOf } from '../files.ts';
import { globMatcher } from '../glob-pattern.ts';
import { membersIn } from '../json.ts';

/** The members of the package.json nearest to a file that decide how it is bundled. */
interface NearestManifest {
  /** `.js` files are ES modules, which get `module.exports` of a CommonJS module as its default export. */
  readonly isModule: boolean;
  /** Reports if evaluating a file does more than defining its exports: https://webpack.js.org/guides/tree-shaking/ */
  readonly hasSideEffects: (path: string) => boolean;
}

const NONE: NearestManifest = { isModule: false, hasSideEffects: () => true };

/** Returns a function that reads the package.json beside or above a file, each once. */
export function nearestManifests(files: Files): (path: string) => NearestManifest {
  const known = new Map<string, NearestManifest>();
  const inFolder = (folder: string): NearestManifest => {
    const manifest = known.get(folder) ?? read(folder);
    known.set(folder, manifest);
    return manifest;
  };
  const read = (folder: string) => {
    if (folder.endsWith('node_modules/')) return NONE;
    const text = textOf(files, `${folder}package.json`);
    if (text === undefined) return folder === '' ? NONE : inFolder(folderOf(folder.slice(0, -1)));
    const { type, sideEffects } = membersIn(text);
    const isMatched = sideEffectsMatcher(sideEffects);
    return { isModule: type === 'module', hasSideEffects: (path: string) => isMatched(path.slice(folder.length)) };
  };
  return (path) => inFolder(folderOf(path));
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/**
 * Reads `sideEffects`: false, or globs. Node's `matchesGlob` would take exponential time for patterns that a package
 * chooses.
 */
function sideEffectsMatcher(value: unknown): (pathInFolder: string) => boolean {
  if (!Array.isArray(value)) return () => value !== false;
  const globs = value.filter((glob): glob is string => typeof glob === 'string').slice(0, 1_000);
  const matchers = globs.map((glob) => {
    const pattern = glob.replace(/^\.?\//, '');
    return globMatcher(pattern.includes('/') ? pattern : `**/${pattern}`);
  });
  return (path) => matchers.some((matches) => matches(path));
}
