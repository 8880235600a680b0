import { readFileSync } from 'node:fs';
import { clientDeclarations, clientScript } from './client/files.ts';
import { DOCUMENT_NAMES, documentFile } from './openapi/files.ts';
import { referencePage } from './reference.ts';
import { startPage } from './start.ts';

const json = (file: string) => ({ contentType: 'application/json', body: readFileSync(file, 'utf8') });
const html = (body: string) => ({ contentType: 'text/html; charset=utf-8', body });

/** Returns the files of the service's own pages by the key of their object; `docs/index.html` is served at `/docs`. */
export function pages(): Readonly<Record<string, { contentType: string; body: string | Uint8Array }>> {
  return {
    'index.html': html(startPage()),
    'docs/index.html': html(referencePage()),
    ...Object.fromEntries(DOCUMENT_NAMES.map((name) => [`api/v1/${name}`, json(documentFile(name))])),
    'client.js': { contentType: 'text/javascript; charset=utf-8', body: clientScript() },
    'client.d.ts': { contentType: 'text/plain; charset=utf-8', body: clientDeclarations() },
  };
}
