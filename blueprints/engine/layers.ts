import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProjectFile } from '../kit/types.ts';

// In a bundle this module is a file at the top, and the templates are in a folder beside it.
const BUNDLED = fileURLToPath(new URL('./blueprints/', import.meta.url));
const ROOT = existsSync(BUNDLED) ? BUNDLED : fileURLToPath(new URL('../', import.meta.url));

const layers = new Map<string, readonly ProjectFile[]>();

/** The template files of one folder below `blueprints/`, read from disk at its first use. */
export function readLayer(layer: string): readonly ProjectFile[] {
  const known = layers.get(layer);
  if (known) return known;
  const folder = join(ROOT, layer);
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
