import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getRefId } from '@asteasolutions/zod-to-openapi';
import { Validator } from '@seriousme/openapi-schema-validator';
import * as z from 'zod';
import { OPERATIONS, type Operation, type OperationName } from '../../../../lambda/contract/operations.ts';
import { RESPONSES } from '../../../../lambda/contract/responses/operations.ts';
import type { Recordings } from '../../../../web/reference/examples/recorder.ts';
import { openApiDocument } from '../../../../web/reference/openapi/document.ts';
import {
  DOCUMENT_NAMES,
  DOCUMENTS,
  type DocumentName,
  documentText,
  textOf,
} from '../../../../web/reference/openapi/files.ts';
import { EXAMPLES_FILE } from '../../../../web/reference/samples.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is as deep as its specification
type Node = any;

/** Fields that clients show but do not depend on. */
const TEXTS = new Set(['description', 'summary']);

const DIGESTS = 'test/unit/web/reference/digests.json';

const document: Node = JSON.parse(documentText('openapi.json'));

/** Calls `visit` with every schema within a node, and its path. */
function eachSchema(node: Node, path: string, visit: (schema: Node, path: string) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (typeof node.type === 'string' || Array.isArray(node.type) || node.properties) visit(node, path);
  for (const [name, value] of Object.entries(node)) eachSchema(value, `${path}/${name}`, visit);
}

it('is what the contract says: if this fails, run npm run prepare', async () => {
  expect(documentText('openapi.json') === textOf(await openApiDocument())).toBe(true);
});

it('publishes each operation in the form that digests.json has', () => {
  const expected = JSON.parse(readFileSync(DIGESTS, 'utf8'));
  const actual = digests();
  const changed = Object.keys({ ...expected, ...actual }).filter((name) => expected[name] !== actual[name]);
  const advice =
    `Callers see a change of ${changed.join(', ')}. If it is meant, describe it in CHANGELOG.md, ` +
    `and write to ${DIGESTS}:\n${JSON.stringify(actual, null, 2)}`;
  expect(changed.length > 0 ? advice : '').toBe('');
});

it('describes streams in both versions', () => {
  const content = (name: DocumentName): Node =>
    JSON.parse(documentText(name)).paths['/api/v1/generate'].post.responses[200].content['text/event-stream'];
  expect(content('openapi.json')).toEqual({ itemSchema: { $ref: '#/components/schemas/GenerationEvent' } });
  expect(content('openapi-3.1.json').schema).toMatchObject({ type: 'string' });
  expect(content('openapi-3.1.json').schema.description).toContain('`done`: ');
  expect(documentText('openapi-3.1.json')).not.toMatch(/itemSchema|GenerationEvent/);
});

describe.each(DOCUMENT_NAMES)('%s', (name) => {
  const source = documentText(name);

  it('has the structure that its specification requires', async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(source))).toEqual({ valid: true });
    expect(DOCUMENTS[name].startsWith(`${validator.version}.`)).toBe(true);
  });
});

it('has every operation, with the bodies of its example', () => {
  const recordings = JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Recordings;
  for (const name of Object.keys(OPERATIONS) as OperationName[]) {
    const { method, path } = OPERATIONS[name];
    const { operationId, requestBody, responses } = document.paths[path][method.toLowerCase()];
    const { request, response } = recordings[name];
    const received = responses[response.status].content?.['application/json'];
    expect([operationId, requestBody && 'example' in requestBody.content['application/json']]).toEqual([
      name,
      request.body && true,
    ]);
    expect([name, received && 'example' in received]).toEqual([name, response.body && true]);
  }
});

it('describes every field and parameter', () => {
  const bare: string[] = [];
  eachSchema(document.components.schemas, '', ({ properties = {} }, path) => {
    for (const [name, field] of Object.entries<Node>(properties))
      if (!field.description && !field.$ref && !field.allOf && !('const' in field) && !field.contentSchema)
        bare.push(`${path}.${name}`);
  });
  for (const item of Object.values<Node>(document.paths))
    for (const { parameters = [], operationId } of Object.values<Node>(item))
      for (const { $ref, description, name } of parameters)
        if (!$ref && !description) bare.push(`${operationId} ${name}`);
  expect(bare).toEqual([]);
});

it('requires the fields that zod requires', () => {
  const bodies = [
    ...Object.values<Operation>(OPERATIONS).map(({ request }) => [request, 'input'] as const),
    ...Object.values(RESPONSES).map(({ body }) => [body, 'output'] as const),
  ];
  for (const [body, io] of bodies) {
    if (body === undefined) continue;
    const expected: Record<string, unknown> = {};
    eachSchema(z.toJSONSchema(body as z.ZodType, { io, reused: 'inline' }), '', (schema, path) => {
      if (schema.required) expected[path] = schema.required;
    });
    const actual: Record<string, unknown> = {};
    eachSchema(resolved(document.components.schemas[getRefId(body as z.ZodType) ?? '']), '', (schema, path) => {
      if (schema.required) actual[path] = schema.required;
    });
    expect(actual).toEqual(expected);
  }
});

/** Replaces references to schemas by the schemas. */
function resolved(node: Node): Node {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(resolved);
  const all = node.allOf?.[0] ?? node;
  if (all.$ref) return resolved(document.components.schemas[all.$ref.split('/').at(-1)]);
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolved(value)]));
}

/** Returns a digest of each operation and webhook with all that it refers to, without texts and examples. */
function digests(): Record<string, string> {
  const items = [...Object.values<Node>(document.paths), ...Object.values<Node>(document.webhooks)];
  const operations = items.flatMap((item) => Object.values<Node>(item));
  return Object.fromEntries(
    operations.map((operation) => {
      const components: Record<string, Node> = {};
      const visit = (node: Node): Node => {
        if (typeof node !== 'object' || node === null) return node;
        if (Array.isArray(node)) return node.map(visit);
        if (typeof node.$ref === 'string' && !(node.$ref in components)) {
          const [, , kind, name] = node.$ref.split('/');
          // Before it is visited, because a schema can contain itself.
          components[node.$ref] = null;
          components[node.$ref] = visit(document.components[kind][name]);
        }
        return Object.fromEntries(
          Object.entries(node)
            .filter(([name, value]) => !(TEXTS.has(name) && typeof value !== 'object') && name !== 'example')
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, value]) => [name, visit(value)]),
        );
      };
      const form = [visit(operation), Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))];
      const hash = createHash('sha256').update(JSON.stringify(form)).digest('hex');
      return [operation.operationId, hash.slice(0, 12)];
    }),
  );
}
