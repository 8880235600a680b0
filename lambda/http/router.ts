import { type Caller, requireScope } from '../access/callers.ts';
import { ApiError } from '../contract/errors.ts';
import { type BodyOf, OPERATIONS, type Operation, type OperationName, type QueryOf } from '../contract/operations.ts';
import { checkedQuery, formBody, isForm, jsonBody } from './input.ts';
import type { ApiRequest, ApiResponse, Target } from './request.ts';

/** Argument of an operation's handler. */
export interface Call<Name extends OperationName> {
  readonly request: ApiRequest;
  /** Path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryOf<Name>;
  readonly body: BodyOf<Name>;
  /** The caller with the operation's scope; undefined if the operation needs none. */
  readonly caller: CallerOf<Name>;
}

type CallerOf<Name extends OperationName> = (typeof OPERATIONS)[Name] extends { scope: string } ? Caller : undefined;

/** Returns how many bytes a request is going to store. The caller has been identified. */
export type BytesOf = (request: ApiRequest) => number | Promise<number>;

/** A handler of the requests for a method and a path: that of an operation, or a page's own. */
export interface Route extends Pick<Operation, 'method' | 'path'> {
  readonly call: (request: ApiRequest) => Promise<ApiResponse>;
  readonly bytesOf?: BytesOf | undefined;
}

/**
 * Binds an operation of the contract to its handler. The scope is checked before the body is parsed.
 * @param bytesOf by default, requests store no bytes
 */
export function route<Name extends OperationName>(
  name: Name,
  handle: (call: Call<Name>) => Promise<ApiResponse>,
  bytesOf?: BytesOf,
): Route {
  const { method, path, scope, query: querySchema }: Operation = OPERATIONS[name];
  return {
    method,
    path,
    bytesOf,
    call: async (request) => {
      const caller = (scope && requireScope(request.caller, scope)) as CallerOf<Name>;
      const query = (querySchema && checkedQuery(request, querySchema)) as QueryOf<Name>;
      const body = await parsedBody(name, request);
      return handle({ request, params: request.target?.params ?? {}, query, body, caller });
    },
  };
}

/**
 * Returns the body of a request for an operation, parsed and validated once: `bytesOf` may need it before the route.
 * @throws ApiError invalid_request, unsupported_media_type or payload_too_large
 */
export function parsedBody<Name extends OperationName>(name: Name, request: ApiRequest): Promise<BodyOf<Name>> {
  request.parsed ??= parse(OPERATIONS[name], request);
  return request.parsed as Promise<BodyOf<Name>>;
}

async function parse({ request: schema, form, decodedBytes }: Operation, request: ApiRequest) {
  if (schema === undefined) return undefined;
  return form && isForm(request) ? formBody(request, schema) : jsonBody(request, schema, decodedBytes);
}

/** Returns a function that finds the route of a request. */
export function routeFinder(routes: readonly Route[]): (request: ApiRequest) => Route | undefined {
  const known = new Map(routes.map((one) => [`${one.method} ${one.path}`, one]));
  return ({ method, path, target }) => known.get(`${method} ${target?.operation.path ?? path}`);
}

/**
 * Returns a function that calls the route of a request.
 * @throws ApiError not_found for an unknown path, method_not_allowed (with `Allow`) for an unsupported method
 */
export function router(routes: readonly Route[]): (request: ApiRequest) => Promise<ApiResponse> {
  const routeOf = routeFinder(routes);
  return async (request) => {
    const found = routeOf(request);
    if (found) return found.call(request);
    const methods = methodsOf(request.path);
    if (methods.length === 0) throw new ApiError('not_found', notFound(request));
    const Allow = [...methods, 'OPTIONS'].join(', ');
    if (request.method === 'OPTIONS') return { statusCode: 204, headers: { Allow } };
    const message = `${request.path} does not support ${request.method}, only ${Allow}`;
    throw new ApiError('method_not_allowed', message, { headers: { Allow } });
  };
}

const PATTERNS = (Object.keys(OPERATIONS) as OperationName[]).map((name) => {
  const operation: Operation = OPERATIONS[name];
  return { name, operation, segments: operation.path.split('/') };
});

/** Returns the operation of a method and a path; undefined if there is none. */
export function findTarget(method: string, path: string): Target | undefined {
  for (const { name, operation, segments } of PATTERNS) {
    const params = operation.method === method ? match(segments, path) : undefined;
    if (params) return { name, operation, params };
  }
  return undefined;
}

/** Returns the methods of a path, whichever function serves them: a preflight may reach another one. */
function methodsOf(path: string): string[] {
  return PATTERNS.filter(({ segments }) => match(segments, path)).map(({ operation }) => operation.method);
}

/** API Gateway routes a path with an additional trailing slash to another function than the path without. */
function notFound({ method, path }: ApiRequest): string {
  const shorter = path.replace(/\/+$/, '');
  const isKnown = path !== shorter && methodsOf(shorter).length > 0;
  return `There is no ${method} ${path}; ${isKnown ? 'omit the trailing slash' : 'see /docs for the operations'}`;
}

/** Returns the parameters of a path that matches the pattern; the path may omit the pattern's trailing slash. */
function match(names: readonly string[], path: string): Record<string, string> | undefined {
  const values = path.split('/');
  if (names.at(-1) === '' && values.at(-1) !== '') values.push('');
  if (names.length !== values.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, name] of names.entries()) {
    const value = values[i] ?? '';
    if (name.startsWith('{') && value !== '') params[name.slice(1, -1)] = value;
    else if (name !== value) return undefined;
  }
  return params;
}
