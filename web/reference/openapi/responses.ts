import { STATUS_CODES } from 'node:http';
import type { OpenAPIRegistry, ResponseConfig, ZodMediaTypeObject } from '@asteasolutions/zod-to-openapi';
import type * as z from 'zod';
import { ERRORS, type ErrorCode } from '../../../lambda/contract/errors.ts';
import { OPERATIONS, type Operation, type OperationName } from '../../../lambda/contract/operations.ts';
import {
  COMMON_ERRORS,
  ERROR_BODIES,
  ERROR_HEADERS,
  errorBody,
} from '../../../lambda/contract/responses/errors.ts';
import { COMMON_HEADERS, type SentHeader } from '../../../lambda/contract/responses/headers.ts';
import { RESPONSES } from '../../../lambda/contract/responses/operations.ts';
import { refTo } from './requests.ts';

type Responses = Record<string, ResponseConfig | { $ref: string }>;

/** Returns the responses of an operation by status. The registry gets those that several operations have. */
export function responsesOf(
  name: OperationName,
  registry: OpenAPIRegistry,
  stream: ZodMediaTypeObject,
): Responses {
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
