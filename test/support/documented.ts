import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { documentText } from '../../web/reference/openapi/files.ts';

/** A response of the service. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly status: number;
  /** Returns a header by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** Undefined if it is not to be checked, as that of a stream, whose events are checked one by one. */
  readonly body?: string;
}

interface Found {
  readonly node: Node;
  /** JSON pointer of the node, without references in between. */
  readonly pointer: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a document is as deep as its specification
type Node = any;

const ID = 'openapi.json';
const document: Node = JSON.parse(documentText(ID));
/** Those of the document; CloudFront adds the challenge to all errors. */
const KNOWN_HEADERS = [
  ...new Set(Object.keys(document.components.headers).map((name) => name.replace('.optional', ''))),
].filter((name) => name !== 'WWW-Authenticate');

const ajv = new Ajv2020({ strict: false, validateSchema: false, meta: false, code: { optimize: false } });
formats.default(ajv);
ajv.addSchema(document, ID);
const validators = new Map<string, ValidateFunction>();

const operations = Object.entries<Node>(document.paths).map(([path, item]) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+').replace(/\/$/, '/?')}$`),
  item,
  path,
}));

/** Returns what a response has that the published description of the API does not, or lacks. */
export function undocumented({ method, url, status, header, body }: Exchange): string[] {
  const operation = operationOf(method, url);
  if (operation === undefined) return [];
  const fault = (what: string) => `${method} ${url.pathname} responded with ${status}: ${what}`;
  const response = at(operation, 'responses', String(status));
  if (response === undefined) return [fault('the status is not documented')];
  return [...headerFaults(response, header), ...bodyFaults(response, header('content-type'), body)].map(fault);
}

/** Returns what a server-sent event has that the description does not, or lacks. */
export function undocumentedEvent(
  { method, url }: Pick<Exchange, 'method' | 'url'>,
  fields: { readonly event: string; readonly id: string; readonly data: string },
): string[] {
  const operation = operationOf(method, url);
  const schema = operation && at(operation, 'responses', '200', 'content', 'text/event-stream', 'itemSchema');
  if (schema === undefined) return [`${method} ${url.pathname} has no documented events`];
  const variant = schema.node.oneOf.findIndex((one: Node) => one.properties.event.const === fields.event);
  const data = at(schema, 'oneOf', String(variant), 'properties', 'data', 'contentSchema');
  return [
    ...schemaFaults(schema, fields),
    ...(data ? schemaFaults(data, JSON.parse(fields.data)) : ['its data has no schema']),
  ].map((what) => `${method} ${url.pathname} sent the event ${fields.event}: ${what}`);
}

/** Returns the operation of a request to the service; other hosts than that of its base URL have sites. */
function operationOf(method: string, { hostname, pathname }: URL): Found | undefined {
  if (hostname !== 'localhost' && hostname !== '127.0.0.1') return undefined;
  const found = operations.find(({ pattern, item }) => method.toLowerCase() in item && pattern.test(pathname));
  return found && at({ node: document, pointer: '' }, 'paths', found.path, method.toLowerCase());
}

function headerFaults(response: Found, header: Exchange['header']): string[] {
  const documented = response.node.headers ?? {};
  const others = KNOWN_HEADERS.filter((name) => !(name in documented) && header(name.toLowerCase()));
  const unknown = others.map((name) => `the header ${name} is not documented`);
  const faults = Object.keys(documented).flatMap((name) => {
    const value = header(name.toLowerCase());
    const field = at(response, 'headers', name);
    if (value === undefined) return field?.node.required ? [`the header ${name} is missing`] : [];
    const schema = field && at(field, 'schema');
    if (schema === undefined) return [`the header ${name} has no schema`];
    const parsed = schema.node.type === 'integer' && /^\d+$/.test(value) ? Number(value) : value;
    return schemaFaults(schema, parsed).map((fault) => `header ${name}: ${fault}`);
  });
  return [...faults, ...unknown];
}

function bodyFaults(response: Found, contentType: string | undefined, body: string | undefined): string[] {
  if (response.node.content === undefined) return body ? ['it has a body'] : [];
  const type = contentType?.split(';', 1)[0] ?? 'none';
  const media = at(response, 'content', type);
  if (media === undefined) return [`the media type ${type} is not documented`];
  const schema = at(media, 'schema');
  return schema && body !== undefined ? schemaFaults(schema, JSON.parse(body)) : [];
}

function schemaFaults({ pointer }: Found, value: unknown): string[] {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `${ID}#${pointer}` });
  validators.set(pointer, validate);
  if (validate(value)) return [];
  return [`${ajv.errorsText(validate.errors)} ${JSON.stringify(validate.errors?.map(({ params }) => params))}`];
}

/** Returns the node at a path within another one, and follows references. */
function at(from: Found, ...[name, ...rest]: string[]): Found | undefined {
  if (name === undefined) return from;
  const node = from.node[name];
  if (node === undefined) return undefined;
  const root = { node: document, pointer: '' };
  const found =
    typeof node.$ref === 'string'
      ? at(root, ...node.$ref.split('/').slice(1))
      : {
          node,
          pointer: `${from.pointer}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
        };
  return found && at(found, ...rest);
}
