import { referencePage } from './reference.ts';
import { startPage } from './start.ts';

/** Returns the service's own pages by the key of their object. */
export function pages(): Readonly<Record<string, string>> {
  return { 'index.html': startPage(), 'docs/index.html': referencePage() };
}
