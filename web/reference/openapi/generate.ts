import { writeFileSync } from 'node:fs';
import { openApiDocument } from './document.ts';
import { DOCUMENT_FILE, textOf } from './files.ts';

writeFileSync(DOCUMENT_FILE, textOf(await openApiDocument()));
