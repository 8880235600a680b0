import { ApiError } from '../contract/errors.ts';
import { type BodyOf, OPERATIONS, type Operation, type OperationName } from '../contract/operations.ts';
import { jsonBody } from './json-body.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

/** What the handler of an operation is given. */
export interface Call<Name extends OperationName> {
  readonly request: ApiRequest;
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** Checked against the operation's schema. */
  readonly body: BodyOf<Name>;
}

export interface Route {
  readonly name: OperationName;
  readonly operation: Operation;
  readonly call: (request: ApiRequest, params: Readonly<Record<string, string>>) => Promise<ApiResponse>;
}

/** Binds an operation of the contract to the function that performs it. */
export function route<Name extends OperationName>(
  name: Name,
  handle: (call: Call<Name>) => Promise<ApiResponse>,
): Route {
  const operation: Operation = OPERATIONS[name];
  const read = async (request: ApiRequest) =>
    (operation.request ? await jsonBody(request, operation.request) : undefined) as BodyOf<Name>;
  return {
    name,
    operation,
    call: async (request, params) => handle({ request, params, body: await read(request) }),
  };
}

/**
 * Finds the route of a request and calls it.
 * @throws ApiError not_found for an unknown path, method_not_allowed (with `Allow`) for a known one.
 */
export function router(routes: readonly Route[]): (request: ApiRequest) => Promise<ApiResponse> {
  return async (request) => {
    const samePath = routes.flatMap(({ name, operation, call }) => {
      const params = match(operation.path, request.path);
      return params ? [{ name, method: operation.method as string, call, params }] : [];
    });
    const found = samePath.find(({ method }) => method === request.method);
    if (found) {
      request.operation = found.name;
      return found.call(request, found.params);
    }
    if (samePath.length === 0) throw new ApiError('not_found', notFound(request));
    const allowed = [...new Set(samePath.map(({ method }) => method)), 'OPTIONS'].join(', ');
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

/** Whether the contract has this read count against the rate limit. */
export function isCountedRead({ method, path }: Pick<ApiRequest, 'method' | 'path'>): boolean {
  return Object.values<Operation>(OPERATIONS).some(
    (operation) => operation.counted && operation.method === method && match(operation.path, path),
  );
}

/** API Gateway gives a path with a slash too many to another function than the one without. */
function notFound({ method, path }: ApiRequest): string {
  const shorter = path.replace(/\/+$/, '');
  const meant =
    path !== shorter && Object.values(OPERATIONS).some((operation) => match(operation.path, shorter));
  return `There is no ${method} ${path}; ${meant ? `leave out the slash at the end` : '/docs lists the operations'}`;
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
