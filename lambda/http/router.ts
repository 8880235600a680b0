import { type Caller, requireScope } from '../access/callers.ts';
import { ApiError } from '../contract/errors.ts';
import {
  type BodyOf,
  OPERATIONS,
  type Operation,
  type OperationName,
  type QueryOf,
} from '../contract/operations.ts';
import { checkedQuery, formBody, isForm, jsonBody } from './input.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

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

type CallerOf<Name extends OperationName> = (typeof OPERATIONS)[Name] extends { scope: string }
  ? Caller
  : undefined;

export interface Route {
  readonly operation: Operation;
  readonly call: (request: ApiRequest, params: Readonly<Record<string, string>>) => Promise<ApiResponse>;
}

/**
 * Binds an operation of the contract to its handler. The scope is checked before the body is parsed.
 */
export function route<Name extends OperationName>(
  name: Name,
  handle: (call: Call<Name>) => Promise<ApiResponse>,
): Route {
  const operation: Operation = OPERATIONS[name];
  const { scope, query: querySchema, request: schema, form, decodedBytes } = operation;
  return {
    operation,
    call: async (request, params) => {
      const caller = (scope && requireScope(request.caller, scope)) as CallerOf<Name>;
      const query = (querySchema && checkedQuery(request, querySchema)) as QueryOf<Name>;
      const parse = form && isForm(request) ? formBody : jsonBody;
      const body = (schema && (await parse(request, schema, decodedBytes))) as BodyOf<Name>;
      return handle({ request, params, query, body, caller });
    },
  };
}

/**
 * Returns a function that calls the route of a request.
 * @throws ApiError not_found for an unknown path, method_not_allowed (with `Allow`) for an unsupported method
 */
export function router(routes: readonly Route[]): (request: ApiRequest) => Promise<ApiResponse> {
  return async (request) => {
    for (const { operation, call } of routes) {
      const params = operation.method === request.method && match(operation.path, request.path);
      if (params) return call(request, params);
    }
    const methods = methodsOf(request);
    if (methods.length === 0) throw new ApiError('not_found', notFound(request));
    const allowed = [...methods, 'OPTIONS'].join(', ');
    if (request.method === 'OPTIONS') return { statusCode: 204, headers: { Allow: allowed } };
    throw new ApiError(
      'method_not_allowed',
      `${request.path} does not support ${request.method}, only ${allowed}`,
      {
        headers: { Allow: allowed },
      },
    );
  };
}

/** Returns the methods of a path, whichever function serves them: a preflight may reach another one. */
function methodsOf({ path }: ApiRequest): string[] {
  const operations: Operation[] = Object.values(OPERATIONS);
  return operations.filter((operation) => match(operation.path, path)).map(({ method }) => method);
}

/** Returns the operation of a request; undefined for an unknown path or method. */
export function operationOf({
  method,
  path,
}: Pick<ApiRequest, 'method' | 'path'>): OperationName | undefined {
  const names = Object.keys(OPERATIONS) as OperationName[];
  return names.find((name) => {
    const operation: Operation = OPERATIONS[name];
    return operation.method === method && match(operation.path, path) !== undefined;
  });
}

/** API Gateway routes a path with an additional trailing slash to another function than the path without. */
function notFound({ method, path }: ApiRequest): string {
  const shorter = path.replace(/\/+$/, '');
  const known =
    path !== shorter && Object.values(OPERATIONS).some((operation) => match(operation.path, shorter));
  return `There is no ${method} ${path}; ${known ? 'omit the trailing slash' : 'see /docs for the operations'}`;
}

/** Returns the parameters of a path that matches the pattern; the path may omit the pattern's trailing slash. */
function match(pattern: string, path: string): Record<string, string> | undefined {
  const names = pattern.split('/');
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
