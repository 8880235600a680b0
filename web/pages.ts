import { referencePage } from './reference.ts';
import { startPage } from './start.ts';

/** The service's own pages, by the key of their file: a folder's page is its `index.html`. */
export function pages(): Readonly<Record<string, string>> {
  return { 'index.html': startPage(), 'docs/index.html': referencePage() };
}
