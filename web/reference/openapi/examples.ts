import { readFileSync } from 'node:fs';
import { OPERATIONS, type Operation, type OperationName } from '../../../lambda/contract/operations.ts';
import { ELLIPSIS, type Recordings } from '../examples/recorder.ts';
import { EXAMPLES_FILE } from '../samples.ts';

/** Stands for the variable of recorded requests. */
export const PROJECT = '0b9dbf4e-5f83-4a52-9ad2-c7c2a1d5f0a6';

interface Example {
  example?: unknown;
}

interface DocumentedOperation {
  parameters?: (Example & { name?: string; schema?: { type?: unknown } })[];
  requestBody?: { content: Record<string, Example> };
  responses: Record<string, { content?: Record<string, Example> }>;
}

/** The operations of a document by path and method. */
export type Paths = Record<string, Record<string, DocumentedOperation>>;

/** Adds the recorded examples: values of parameters, and bodies of requests and responses. */
export function addExamples(paths: Paths): void {
  const recordings = JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Partial<Recordings>;
  for (const [name, { request, response }] of Object.entries(recordings)) {
    const { path, method }: Operation = OPERATIONS[name as OperationName];
    const operation = paths[path]?.[method.toLowerCase()];
    if (operation === undefined) throw new Error(`There is no operation ${method} ${path}`);
    const { parameters = [], requestBody, responses } = operation;
    const values = sentValues(path, request.path);
    for (const parameter of parameters)
      if (parameter.name !== undefined && parameter.name in values) {
        const value = values[parameter.name];
        const isNumber = ['integer', 'number'].includes(String(parameter.schema?.type));
        parameter.example = isNumber ? Number(value) : value;
      }
    add(requestBody?.content, request.body);
    add(responses[response.status]?.content, response.body);
  }
}

function add(content: Record<string, Example> | undefined, body: unknown): void {
  const json = content?.['application/json'];
  if (json && body !== undefined) json.example = whole(body);
}

/** Returns the values of the parameters in the path and query of a request. */
function sentValues(pattern: string, sent: string): Record<string, string> {
  const { pathname, searchParams } = new URL(sent, 'http://localhost');
  const source = pattern.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return { ...Object.fromEntries(searchParams), ...new RegExp(`^${source}$`).exec(pathname)?.groups };
}

/** Returns a value without marks of omissions, which its schema does not allow. */
function whole(value: unknown): unknown {
  if (typeof value === 'string') return value.replace('$PROJECT', PROJECT);
  if (Array.isArray(value)) return value.filter((element) => element !== ELLIPSIS).map(whole);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, whole(field)]));
}
