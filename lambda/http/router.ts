import type * as z from 'zod';
import { ApiError } from '../contract/errors.ts';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import { jsonBody } from './json-body.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

/** What a handler of a route is given: the request, its path parameters, and its body when it reads one. */
export interface RouteCall<Body> {
  readonly request: ApiRequest;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
}

export interface Route {
  readonly operation: OperationName;
  readonly call: (request: ApiRequest, params: Readonly<Record<string, string>>) => Promise<ApiResponse>;
}

/** A route with a JSON body that is checked against `schema` before `handle` sees it. */
export function bodyRoute<T extends z.ZodType>(
  operation: OperationName,
  schema: T,
  handle: (call: RouteCall<z.output<T>>) => Promise<ApiResponse>,
): Route {
  return {
    operation,
    call: async (request, params) => handle({ request, params, body: await jsonBody(request, schema) }),
  };
}

/** A route without a body. */
export function plainRoute(
  operation: OperationName,
  handle: (call: RouteCall<undefined>) => Promise<ApiResponse>,
): Route {
  return { operation, call: (request, params) => handle({ request, params, body: undefined }) };
}

/**
 * Finds the route of a request and calls it.
 * @throws ApiError not_found for an unknown path, method_not_allowed (with `Allow`) for a known one.
 */
export function router(routes: readonly Route[]): (request: ApiRequest) => Promise<ApiResponse> {
  const table = routes.map((route) => ({ route, ...OPERATIONS[route.operation] }));
  return async (request) => {
    const samePath = table.flatMap(({ route, method, path }) => {
      const params = match(path, request.path);
      return params ? [{ route, method, params }] : [];
    });
    const found = samePath.find(({ method }) => method === request.method);
    if (found) return found.route.call(request, found.params);
    if (samePath.length === 0) {
      throw new ApiError('not_found', `There is no ${request.method} ${request.path}; /docs lists the operations`);
    }
    const allowed = [...new Set(samePath.map(({ method }) => method)), 'OPTIONS'].join(', ');
    if (request.method === 'OPTIONS') return { statusCode: 204, headers: { Allow: allowed } };
    throw new ApiError('method_not_allowed', `${request.path} does not support ${request.method}, only ${allowed}`, {
      headers: { Allow: allowed },
    });
  };
}

/** The parameters of a path that fits the pattern. A final slash of the pattern may be missing in the path. */
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
