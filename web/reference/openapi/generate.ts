import { writeFileSync } from 'node:fs';
import { documentText } from './document.ts';
import { DOCUMENT_NAMES, DOCUMENTS, documentFile } from './files.ts';

for (const name of DOCUMENT_NAMES) writeFileSync(documentFile(name), await documentText(DOCUMENTS[name]));
