import { readFileSync } from 'node:fs';
import { GENERATION_EVENTS } from '../../../lambda/contract/responses/events.ts';

/** The OpenAPI version of each document, by its name under `/api/v1/`. */
export const DOCUMENTS = { 'openapi.json': '3.2.0', 'openapi-3.1.json': '3.1.0' } as const;

export type DocumentName = keyof typeof DOCUMENTS;

export const DOCUMENT_NAMES = Object.keys(DOCUMENTS) as DocumentName[];

/** The document that `npm run prepare` writes. */
const DOCUMENT_FILE = new URL('../../../dist/openapi.json', import.meta.url);

/** Returns the text of a document: the file, or what is derived from it. */
export function documentText(name: DocumentName): string {
  const text = readFileSync(DOCUMENT_FILE, 'utf8');
  return name === 'openapi.json' ? text : textOf(earlierVersion(text));
}

export const textOf = (document: object): string => `${JSON.stringify(document, null, 1)}\n`;

/** Schema of a whole stream, for OpenAPI 3.1, which cannot describe its events. */
const generationStream = {
  type: 'string',
  description: `Server-sent events with JSON in \`data\`. ${Object.entries(GENERATION_EVENTS)
    .map(([type, { when }]) => `\`${type}\`: ${when}`)
    .join(' ')}`,
};

/** Returns a document of OpenAPI 3.2 in version 3.1, which describes a stream of events as a string. */
function earlierVersion(text: string): object {
  const document = JSON.parse(text, (_, value) => (value?.itemSchema ? { schema: generationStream } : value));
  return withoutUnused({ ...document, openapi: DOCUMENTS['openapi-3.1.json'] });
}

/** Removes components that nothing refers to, such as schemas of configurations. */
export function withoutUnused<T extends { components?: object }>(document: T): T {
  const kept = new Map<string, unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string' && !kept.has($ref)) {
      const [, , kind = '', name = ''] = $ref.split('/');
      kept.set($ref, undefined);
      visit((document.components as Record<string, Record<string, unknown>>)[kind]?.[name]);
    }
    Object.values(value).forEach(visit);
  };
  visit({ ...document, components: {} });
  const components = Object.entries(document.components ?? {}).map(([kind, entries]) => [
    kind,
    Object.fromEntries(
      Object.entries(entries as object).filter(
        ([name]) => kind === 'securitySchemes' || kept.has(`#/components/${kind}/${name}`),
      ),
    ),
  ]);
  return { ...document, components: Object.fromEntries(components) };
}
