import { fileURLToPath } from 'node:url';

/** The OpenAPI version of each document, by the name under `/api/v1/` and in this folder. */
export const DOCUMENTS = { 'openapi.json': '3.2.0', 'openapi-3.1.json': '3.1.0' } as const;

export type DocumentName = keyof typeof DOCUMENTS;
export type Version = (typeof DOCUMENTS)[DocumentName];

export const DOCUMENT_NAMES = Object.keys(DOCUMENTS) as DocumentName[];

/** Returns the path of the file that `npm run openapi` writes. */
export const documentFile = (name: DocumentName): string => fileURLToPath(new URL(name, import.meta.url));
