import MagicString from 'magic-string';
import type { OutputChunk } from 'rolldown';
import { type MinifyResult, minify } from 'rolldown/utils';
import { TARGETS } from '../context.ts';
import { nameHash, PACKAGE_PREFIX, sha256 } from '../files.ts';
import type { PackagesBundle } from './packages-bundle.ts';
import type { PackageReference } from './references.ts';
import { type OwnSources, ownMap, sourcePath } from './source-map.ts';
import { NAMESPACE } from './tree-plugin.ts';

/** A chunk of own code that refers to the files of packages. */
interface Linked {
  readonly chunk: OutputChunk;
  readonly code: string;
  /** From the code to that of the chunk; undefined in a preview. */
  readonly map: Minified['map'];
  readonly hash: string;
}

type Minified = Pick<MinifyResult, 'code' | 'map'>;

/** The scripts of own code. */
export interface LinkedScripts {
  /** Their code by name. */
  readonly scripts: ReadonlyMap<string, string>;
  /** Their source maps by name, such as `index-….js.map`; none in a preview, whose scripts contain theirs. */
  readonly maps: ReadonlyMap<string, string>;
  /** Their names by the names of their chunks. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * A name of a chunk as Rolldown makes it, in a text that refers to it: `index-0123456789abcdef.js`. A match can only
 * begin a URL or a segment. The final name is as long, so that the map of a script stays right.
 */
const CHUNK_NAME = /(?<=["'`/])[\w.-]+-[0-9a-f]{16}\.js/g;

/** Instead of references to a style sheet of a package, which becomes part of the page's. */
const ABSENT = {
  specifier: '"data:text/javascript,export default {}"',
  statement: '',
  namespace: '',
  dynamic: 'Promise.resolve({})',
} as const;

/**
 * Makes chunks refer to the files of packages. The hash in the name of a script covers the script and all that it
 * refers to.
 * @param complete returns a script with the style sheets that it imports, which are built after it
 */
export async function linkChunks(
  chunks: readonly OutputChunk[],
  references: ReadonlyMap<OutputChunk, readonly PackageReference[]>,
  packages: PackagesBundle,
  own: OwnSources,
  preview: boolean,
  complete: (script: string) => string,
): Promise<LinkedScripts> {
  const linked = new Map<string, Linked>();
  for (const chunk of chunks) {
    const edits = new MagicString(chunk.code);
    for (const each of references.get(chunk) ?? []) edits.update(each.start, each.end, replacement(each, packages));
    const whole = complete(edits.toString());
    const { code, map }: Minified = preview ? { code: whole } : await minified(whole);
    linked.set(baseName(chunk.fileName), { chunk, code, map, hash: sha256(code) });
  }
  const names = new Map([...linked].map(([name]) => [name, finalName(name, linked)]));
  const scripts = new Map<string, string>();
  const maps = new Map<string, string>();
  for (const [chunkName, { code, map, chunk }] of linked) {
    const name = names.get(chunkName) ?? chunkName;
    const renamed = code.replace(CHUNK_NAME, (found) => names.get(found) ?? found);
    scripts.set(name, preview ? renamed + inlineMap(chunk) : renamed);
    if (map && chunk.map) maps.set(`${name}.map`, ownMap(map, chunk.map, own));
  }
  return { scripts, maps, names };
}

export function baseName(fileName: string): string {
  return fileName.slice(fileName.lastIndexOf('/') + 1);
}

/** Returns the names of the scripts that an entry loads at once, so that a page can preload them. */
export function preloadsOf(
  entry: OutputChunk,
  chunks: readonly OutputChunk[],
  { names }: LinkedScripts,
  packages: PackagesBundle,
): string[] {
  const own = new Map(chunks.map((chunk) => [chunk.fileName, chunk.imports]));
  const found = new Set([entry.fileName]);
  for (const file of found) {
    for (const imported of own.get(file) ?? packages.imports.get(file) ?? []) {
      const script = imported.startsWith(PACKAGE_PREFIX)
        ? packages.entries.get(imported.slice(PACKAGE_PREFIX.length))
        : imported;
      if (script !== undefined) found.add(script);
    }
  }
  found.delete(entry.fileName);
  return [...found].flatMap((file) => {
    if (packages.files.has(file)) return [file];
    return names.get(baseName(file)) ?? [];
  });
}

function replacement({ specifier, kind, local }: PackageReference, { entries }: PackagesBundle): string {
  const script = entries.get(specifier);
  if (script === undefined) return ABSENT[kind];
  const url = JSON.stringify(`./${script}`);
  switch (kind) {
    case 'specifier':
      return url;
    case 'statement':
      return `import ${url};`;
    case 'namespace':
      return `import { ${NAMESPACE} as ${local} } from ${url};`;
    case 'dynamic':
      return `import(${url}).then((module) => module.${NAMESPACE})`;
  }
}

function minified(code: string): Promise<Minified> {
  return minify('chunk.js', code, {
    module: true,
    compress: { target: [...TARGETS] },
    mangle: true,
    codegen: { removeWhitespace: true },
    sourcemap: true,
  });
}

/**
 * The scripts that a script refers to may refer to it: the hash covers the code of all of them, without their new
 * names.
 */
function finalName(name: string, linked: ReadonlyMap<string, Linked>): string {
  const reached = new Set([name]);
  for (const other of reached) {
    for (const [found] of linked.get(other)?.code.matchAll(CHUNK_NAME) ?? []) {
      if (linked.has(found)) reached.add(found);
    }
  }
  const [, ...others] = [...reached].map((other) => linked.get(other)?.hash ?? '');
  const hash = nameHash([linked.get(name)?.hash, ...others.toSorted()].join('\n'));
  return `${name.slice(0, -`${hash}.js`.length)}${hash}.js`;
}

function inlineMap({ map }: OutputChunk): string {
  if (!map) return '';
  const sources = map.sources.map(sourcePath);
  const json = JSON.stringify({ ...map, sources });
  return `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(json).toString('base64')}\n`;
}
