import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProjectFile } from '../kit/types.ts';

// In a bundle this module is a file at the top, and the templates are in a folder beside it.
const BUNDLED = fileURLToPath(new URL('./blueprints/', import.meta.url));
const ROOT = existsSync(BUNDLED) ? BUNDLED : fileURLToPath(new URL('../', import.meta.url));

const PARTIAL = /^([ \t]*)(?:<!--|\/\*) > ([\w-]+) (?:-->|\*\/)\n/gm;

const layers = new Map<string, readonly ProjectFile[]>();

const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/**
 * Puts partials in the place of their marks: `<!-- > head -->` is `shared/partials/head.html` in an HTML file, each line
 * indented as the mark is. Partials may hold marks of their own.
 */
function include(template: string, extension: string): string {
  return template.replace(PARTIAL, (_mark, indent: string, name: string) => {
    const partial = readFileSync(join(ROOT, 'shared', 'partials', `${name}.${extension}`), 'utf8');
    return include(partial, extension).replace(/^(?=.)/gm, indent);
  });
}

/** Returns the folder of `shared` or a layer of it, such as `shared/page`, or of a kind or a layer of it, such as `todo/base`. */
export function folderOf(name: string): string {
  return name.split('/')[0] === 'shared' ? join(ROOT, name) : join(ROOT, 'kinds', name);
}

/** The templates of one layer, such as `todo/base`, with their partials. Reads them from disk once. */
export function readLayer(layer: string): readonly ProjectFile[] {
  const known = layers.get(layer);
  if (known) return known;
  const folder = folderOf(layer);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: relative(folder, file).replaceAll(sep, '/'),
      content: include(readFileSync(file, 'utf8'), extensionOf(file)),
    }));
  layers.set(layer, files);
  return files;
}
