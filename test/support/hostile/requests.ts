import fc from 'fast-check';
import { documentText } from '../../../web/reference/openapi/files.ts';
import { type Header, type HostileBody, hostileBody } from './bodies.ts';
import { credentials, hostileHeaders, type World } from './headers.ts';
import { HOSTILE_TEXTS, hostileValue, type Named, type Schema, validValue } from './values.ts';

/** A request that an attacker may send. */
export interface HostileRequest {
  /** The operation that it was made from. */
  readonly operation: string;
  readonly method: string;
  /** Path and query as they are sent. */
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | undefined;
  /** Bytes of the declared `Content-Length` besides the body's; the sender disconnects if it is more than the body. */
  readonly lie: number;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  /** The credentials of which one is needed; an empty one needs none. */
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const document = JSON.parse(documentText('openapi.json')) as OpenApi;

/** Returns the node of the document at a reference within it. */
function resolve<Node>(reference: string): Node {
  const names = reference.split('/').slice(1);
  // biome-ignore lint/suspicious/noExplicitAny: a document is as deep as its specification
  return names.reduce<any>((node, name) => node[name], document) as Node;
}

/** Methods that Node's client and server know, besides those of the API. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE'];

/** Paths that no operation has. */
const STRANGE_PATHS = [
  '/api/v1',
  '/api/v1/',
  '/api/v1/__proto__',
  '/api/v1//generate',
  '/api/v1/generate/',
  '/api/v1/generate/x',
  '/api/v1/generations/../usage',
  '/api/v1/generations/%2e%2e/usage',
  '/api/v1/generations/%00',
  '/api/v1/generations/%ff%fe',
  '/api/v1/generations/%zz',
  '/api/v1/generations/a%2fb/result',
  '/api/v1/deploy/staged',
  '/api/v1/deploy/staged/x/y',
  '/api/v1/assets/user-assets',
  '/api/v1/assets/user-assets/x',
  `/api/v1/deployments/${'x'.repeat(5_000)}`,
  '/api/v2/generate',
  '/API/v1/generate',
  '/api/v1/usage;a=b',
  '/api/v1/\xe9',
];

/** Generates a segment of a path: ids that exist, and others, encoded. */
function segment(ids: readonly string[]): fc.Arbitrary<string> {
  const others = fc.constantFrom(...HOSTILE_TEXTS.filter((text) => text !== '').map(encoded));
  return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...ids) }, { weight: 2, arbitrary: others });
}

/** Percent-encodes any text, also lone surrogates, and shortens it to what a URL can have. */
const encoded = (text: string) => encodeURIComponent(text.slice(0, 1_000).toWellFormed());

function query(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const value = (schema: Schema) =>
    fc
      .oneof(validValue(schema, resolve), hostileValue)
      .map((one) => encoded(typeof one === 'string' ? one : String(JSON.stringify(one))));
  const declared = parameters.map(({ name, schema }) => value(schema).map((one) => `${name}=${one}`));
  const strange = fc.constantFrom('__proto__=1', 'limit=1&limit=2', 'cursor[]=a', '=', '&&&', '%', 'a=%ff', 'x');
  const one = fc.oneof(...declared, strange);
  return fc
    .oneof({ weight: 3, arbitrary: fc.constant<string[]>([]) }, fc.array(one, { maxLength: 3 }))
    .map((parts) => (parts.length === 0 ? '' : `?${parts.join('&')}`));
}

/** Fields whose schema is only a text: ids, addresses that nobody listens on, and models that respond. */
function namedFields({ ids }: World): Named {
  const url = fc.constantFrom('http://127.0.0.1:9/', 'https://user@127.0.0.1:9/', 'ftp://x', 'http://[', 'x');
  const content = fc.constantFrom('<h1>Hello</h1>', 'body {}', '', '{"a": 1}', 'x'.repeat(5_000));
  const path = fc.constantFrom('index.html', 'a.css', 'b/c.js', '404.html', '_redirects', '_headers', 'README.md');
  const files = fc.uniqueArray(fc.record({ path, content }), {
    minLength: 1,
    maxLength: 5,
    selector: (one) => one.path,
  });
  return {
    files,
    type: fc.constantFrom('image/png', 'image/jpeg', 'text/html', 'application/x-x'),
    generationId: fc.constantFrom(...(ids.generations ?? [])),
    from: fc.constantFrom(...(ids.generations ?? []), ...(ids.deployments ?? [])),
    assets: fc.uniqueArray(fc.constantFrom(...(ids['user-assets'] ?? [])), { minLength: 1, maxLength: 5 }),
    // The others of the suite hang or fail.
    model: fc.constantFrom('auto', 'provider-a', 'provider-d'),
    webhook: url.map((one) => ({ url: one })),
  };
}

/** Generates requests of one operation. */
function requestsOf(path: string, method: string, operation: Operation, world: World) {
  const { operationId, requestBody, security, parameters = [] } = operation;
  const isRequired = !security.some((way) => Object.keys(way).length === 0);
  const resolved = parameters.map((one) => (one.$ref === undefined ? one : resolve<Parameter>(one.$ref)));
  const search = query(resolved.filter((one) => one.in === 'query'));
  const collection = path.split('/').findLast((part) => part in world.ids) ?? '';
  const target = fc
    .tuple(segment(world.ids[collection] ?? ['x']), search)
    .map(([id, asked]) => path.replace(/\{\w+\}/, id) + asked);
  return fc
    .tuple(
      fc.oneof({ weight: 12, arbitrary: fc.constant(method) }, fc.constantFrom(...METHODS)),
      fc.oneof({ weight: 15, arbitrary: target }, fc.constantFrom(...STRANGE_PATHS)),
      credentials(world, isRequired),
      hostileHeaders,
      bodyOf(requestBody?.content['application/json']?.schema, world),
      fc.oneof({ weight: 40, arbitrary: fc.constant(0) }, fc.constantFrom(-5, 5, 1_000_000)),
    )
    .map(
      ([sentMethod, sentTarget, own, more, body, lie]): HostileRequest => ({
        operation: operationId,
        method: sentMethod,
        target: sentTarget,
        headers: [...own, ...more, ...(body?.headers ?? [])],
        body: body?.bytes,
        lie: body === undefined ? 0 : lie,
      }),
    );
}

/** Generates the body of an operation, most often none if it has no schema. */
function bodyOf(schema: Schema | undefined, world: World): fc.Arbitrary<HostileBody | undefined> {
  const valid = schema === undefined ? fc.constant({}) : validValue(schema, resolve, namedFields(world));
  const without = fc.constant(undefined);
  return fc.oneof(
    { weight: schema === undefined ? 1 : 30, arbitrary: hostileBody(valid) },
    { weight: schema === undefined ? 8 : 1, arbitrary: without },
  );
}

/** Generates requests to all operations of the OpenAPI document. */
export function hostileRequest(world: World): fc.Arbitrary<HostileRequest> {
  const requests = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => requestsOf(path, method.toUpperCase(), operation, world)),
  );
  return fc.oneof(...requests);
}
