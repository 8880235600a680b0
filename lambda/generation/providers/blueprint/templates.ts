import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProjectFile } from './types.ts';

const layers = new Map<string, readonly ProjectFile[]>();

/** The template files of one folder below `templates/`, read from disk at its first use. */
export function readLayer(layer: string): readonly ProjectFile[] {
  const known = layers.get(layer);
  if (known) return known;
  const folder = fileURLToPath(new URL(`./templates/${layer}/`, import.meta.url));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: relative(folder, file).replaceAll(sep, '/'),
      content: readFileSync(file, 'utf8'),
    }));
  layers.set(layer, files);
  return files;
}
