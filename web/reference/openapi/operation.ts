import { STATUS_CODES } from 'node:http';
import {
  getRefId,
  type OpenAPIRegistry,
  type ResponseConfig,
  type RouteConfig,
  type ZodMediaTypeObject,
} from '@asteasolutions/zod-to-openapi';
import type * as z from 'zod';
import { ERRORS, type ErrorCode } from '../../../lambda/contract/errors.ts';
import { OPERATIONS, type Operation, type OperationName } from '../../../lambda/contract/operations.ts';
import { COMMON_ERRORS, ERROR_BODIES, ERROR_HEADERS, errorBody } from '../../../lambda/contract/responses/errors.ts';
import { GENERATION_EVENTS } from '../../../lambda/contract/responses/events.ts';
import { COMMON_HEADERS, PATH_PARAMETERS, type SentHeader } from '../../../lambda/contract/responses/headers.ts';
import { RESPONSES } from '../../../lambda/contract/responses/operations.ts';
import { dataWebhook, deploymentWebhook, generationWebhook } from '../../../lambda/contract/responses/webhooks.ts';

export const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key (`ptp_…`) or an OAuth access token.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key (`ptp_…`).' },
} as const;

/** Returns what describes the requests of an operation. */
export function requestOf(operation: Operation): Pick<RouteConfig, 'security' | 'parameters' | 'request'> {
  const { path, query, request, headers = [] } = operation;
  // OpenAPI describes Accept by the media types of responses, and ignores a parameter with this name.
  const named = headers.filter((header) => header !== 'Accept');
  return {
    security: securityOf(operation),
    parameters: [
      ...pathParameters(path),
      ...[...named, ...(request ? ['Content-Encoding'] : [])].map((header) => ({
        $ref: `#/components/parameters/${header}`,
      })),
    ],
    request: {
      ...(query ? { query: query as z.ZodObject } : {}),
      ...(request ? { body: { required: true, content: { 'application/json': { schema: refTo(request) } } } } : {}),
    },
  };
}

/** Returns a reference to the component of a schema. */
const refTo = (schema: z.ZodType) => ({ $ref: `#/components/schemas/${getRefId(schema)}` });

function pathParameters(path: string) {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ({ 1: name = '', index }) => {
    const description = PATH_PARAMETERS[path.slice(0, index)];
    if (description === undefined) throw new Error(`PATH_PARAMETERS does not describe {${name}} of ${path}`);
    return { name, in: 'path', required: true, description, schema: { type: 'string' } } as const;
  });
}

/** A credential is optional unless its absence is an error; a deployment's token can take its place. */
function securityOf({ scope, errors, headers = [] }: Operation) {
  const scopes = scope ? [scope] : [];
  const required = errors.includes('unauthorized') && !headers.includes('X-Deployment-Token');
  return [...(required ? [] : [{}]), { bearer: scopes }, { apiKey: scopes }];
}

type Responses = Record<string, ResponseConfig | { $ref: string }>;

/** Returns the responses of an operation by status. The registry gets those that several operations have. */
export function responsesOf(name: OperationName, registry: OpenAPIRegistry, stream: ZodMediaTypeObject): Responses {
  const { responses, errors }: Operation = OPERATIONS[name];
  const successes = Object.keys(responses).map((status) => [status, success(name, Number(status), stream)]);
  const statuses = [...Object.keys(COMMON_ERRORS), ...errors.map((code) => String(ERRORS[code].status))];
  const failures = statuses.map((status) => [status, failure(name, Number(status), registry)]);
  return Object.fromEntries([...successes, ...failures]) as Responses;
}

/** @param stream the media type object of streams of events */
function success(name: OperationName, status: number, stream: ZodMediaTypeObject): ResponseConfig {
  const { responses }: Operation = OPERATIONS[name];
  const { body, bodies, media, events, headers } = RESPONSES[name];
  const schema = bodies?.[status] ?? body;
  const content = {
    ...(schema && json(schema)),
    // A media type without a schema is binary: https://spec.openapis.org/oas/v3.2.0.html#working-with-binary-data
    ...(media && { [media]: {} }),
    ...(events && status === 200 ? { 'text/event-stream': stream } : {}),
  };
  return {
    description: responses[status] ?? '',
    headers: headerRefs([...COMMON_HEADERS, ...(headers?.[status] ?? [])]),
    ...(schema || media ? { content } : {}),
  };
}

function failure(name: OperationName, status: number, registry: OpenAPIRegistry): Responses[string] {
  const { form }: Operation = OPERATIONS[name];
  const own = OPERATIONS[name].errors.filter((code) => ERRORS[code].status === status);
  const texts: { readonly [Code in ErrorCode]?: string } = RESPONSES[name].errors ?? {};
  const about = RESPONSES[name].headers?.[status] ?? [];
  const meanings = own.map((code) => texts[code] ?? ERRORS[code].when);
  const common = COMMON_ERRORS[status];
  // What can be wrong with a request is described better by the operation; what can fail adds up.
  const addsUp = common !== undefined && status >= 500;
  const all = common !== undefined && (own.length === 0 || addsUp) ? [...meanings, common] : meanings;
  // API Gateway sends these, too.
  const shared = own.length === 0 || addsUp ? codesOf(status) : [];
  const bodies = [...own, ...shared].map((code) => ERROR_BODIES[code] ?? errorBody);
  const response = {
    description: [...new Set(all)].join(' '),
    headers: headerRefs([
      ...COMMON_HEADERS.map((header) => `${header}?` as const),
      ...(ERROR_HEADERS[status] ?? []),
      ...about,
    ]),
    content: {
      ...json(...new Set(addsUp ? [...bodies, errorBody] : bodies)),
      // The response to a form is a page for the person who sent it.
      ...(form && { 'text/html': {} }),
    },
  };
  if (own.length > 0 || about.length > 0 || form) return response;
  const id = String(STATUS_CODES[status]).replaceAll(' ', '');
  return registry.registerComponent('responses', id, response).ref;
}

const codesOf = (status: number) =>
  (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].status === status);

/** Returns the content of a response whose body has one of the schemas. */
function json(...schemas: readonly z.ZodType[]) {
  const refs = schemas.map(refTo);
  return { 'application/json': { schema: refs.length === 1 ? { ...refs[0] } : { anyOf: refs } } };
}

/** Returns references to the headers; of one that is listed twice, to the last one. */
function headerRefs(sent: readonly SentHeader[]): Record<string, { $ref: string }> {
  const refs = sent.map((header) => [
    header.replace('?', ''),
    { $ref: `#/components/headers/${header.replace('?', '.optional')}` },
  ]);
  return Object.fromEntries(refs);
}

type SchemaObject = Exclude<NonNullable<ZodMediaTypeObject['itemSchema']>, z.ZodType | { $ref: string }>;

const types = Object.entries(GENERATION_EVENTS);

/** Schema of a server-sent event as an object of its fields, as OpenAPI 3.2 describes the items of a stream. */
export const generationEvent = (): SchemaObject => ({
  type: 'object',
  description: 'A server-sent event. Lines that begin with a colon are comments.',
  required: ['id', 'event', 'data'],
  properties: {
    id: {
      type: 'string',
      pattern: '^\\d+$',
      description: 'Send it as `Last-Event-ID` to resume the stream.',
    },
    event: { type: 'string', enum: types.map(([type]) => type), description: 'Type of the event.' },
    data: {
      type: 'string',
      contentMediaType: 'application/json',
      description: 'JSON that depends on the type.',
    },
    retry: { type: 'integer', description: 'Milliseconds to wait before the stream is opened again.' },
  },
  oneOf: types.map(([type, { when, data }]) => ({
    description: when,
    required: ['event'],
    properties: {
      event: { const: type },
      data: {
        contentMediaType: 'application/json',
        contentSchema: refTo(data),
      },
    },
  })),
});

const SENT = {
  generation: { body: generationWebhook, summary: 'A generation with a webhook has ended.' },
  deployment: { body: deploymentWebhook, summary: 'A deploy with a webhook was made.' },
  data: { body: dataWebhook, summary: 'A visitor added an item to the data of a site.' },
} as const;

const HEADERS = {
  'webhook-id': 'Id of the notification, the same in every attempt.',
  'webhook-timestamp': 'Unix time in seconds of the attempt.',
  'webhook-signature': 'Signatures by Standard Webhooks, separated by spaces.',
} as const;

/** The notifications that the service sends, for OpenAPI. */
export const webhooks = (): RouteConfig[] =>
  Object.entries(SENT).map(([path, { body, summary }]) => ({
    method: 'post',
    path,
    operationId: `${path}Webhook`,
    summary,
    security: [],
    parameters: Object.entries(HEADERS).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' as const },
    })),
    request: { body: { required: true, content: { 'application/json': { schema: refTo(body) } } } },
    responses: {
      '2XX': { description: 'The receiver has the notification.' },
      410: { description: 'The receiver does not want it: it is not sent again.' },
      default: { description: 'It is sent again, for about a day.' },
    },
  }));
