import { pageTags, scriptUrl } from './page-tags.ts';

type Contents<Content> = ReadonlyMap<string, Content>;

/** `root: 'client'`, also as a path that is resolved or joined, or as a URL. */
const VITE_ROOT =
  /\broot\s*:\s*(?:[\w.]+\(\s*)*(?:new URL\(\s*|(?:import\.meta\.dirname|__dirname|process\.cwd\(\))\s*,\s*)?['"`]([\w./-]{1,200})['"`]/g;
const VITE_CONFIG = /^vite\.config\.[cm]?[jt]s$/;

/**
 * Returns the folder of a project that is the root of its page: `client/`, or an empty text for the whole project. It
 * is the `root` of the configuration of Vite, or else the folder of the start page, unless that page loads scripts
 * from above it.
 * @param entry the path of the start page; empty if there is none
 */
export function projectRoot(files: Contents<string | Uint8Array>, entry: string): string {
  const configured = viteRoots(files).find((root) => files.has(`${root}index.html`));
  if (configured !== undefined) return configured;
  const root = entry.slice(0, entry.lastIndexOf('/') + 1);
  const fromTop = pageTags(sourceText(files.get(entry) ?? '')).some((tag) => {
    const path = scriptUrl(tag);
    return path?.startsWith('/') && files.has(path.slice(1)) && !files.has(root + path.slice(1));
  });
  return fromTop ? '' : root;
}

const isPublic = (path: string) => path.startsWith('public/');

function viteRoots(files: Contents<string | Uint8Array>): string[] {
  const config = [...files.keys()].find((path) => VITE_CONFIG.test(path));
  if (config === undefined) return [];
  const text = sourceText(files.get(config) ?? '').replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '');
  return Array.from(text.matchAll(VITE_ROOT))
    .filter(({ index }) => isOfConfig(text.slice(0, index)))
    .map(([, root = '']) => `${root.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '')}/`);
}

/** Reports if what follows a text is a setting of the configuration itself, not of an object in it, such as `test`. */
function isOfConfig(before: string): boolean {
  const depth = before.split('{').length - before.split('}').length;
  return depth === 1 || (depth === 2 && /\breturn\b/.test(before));
}

/** Returns the paths of files outside of a root that `atRoot` leaves out, because the root has files of the same path. */
export function hiddenAtRoot(files: Contents<unknown>, root: string): ReadonlySet<string> {
  const outside = [...files.keys()].filter((path) => root !== '' && !path.startsWith(root));
  return new Set(outside.filter((path) => files.has(root + path)));
}

/**
 * Returns the files of a project with the paths that they have from its root. Files outside of it keep theirs, such as
 * `package.json` or what several folders share, unless the root has the same file, or public files of its own.
 */
export function atRoot<Content>(files: Contents<Content>, root: string): ReadonlyMap<string, Content> {
  if (root === '') return files;
  const inside = new Map<string, Content>();
  const outside = new Map<string, Content>();
  for (const [path, content] of files) {
    if (path.startsWith(root)) inside.set(path.slice(root.length), content);
    else outside.set(path, content);
  }
  if ([...inside.keys()].some(isPublic)) for (const path of outside.keys()) if (isPublic(path)) outside.delete(path);
  return new Map([...outside, ...inside]);
}

/** Returns the text of a source, which is UTF-8 as for every build tool. Also runs in browsers, which have no `Buffer`. */
export function sourceText(content: string | Uint8Array | undefined): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}
