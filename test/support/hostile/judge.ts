import { undocumented } from '../documented.ts';
import type { HostileRequest } from './requests.ts';
import type { HostileResponse } from './send.ts';

/** Statuses of an HTTP server and of CloudFront, for requests that reach no operation. */
const BEFORE_OPERATIONS = [204, 400, 403, 404, 405, 408, 413, 414, 417, 431, 501];

/** Returns what is wrong with a response to a request, whatever the request was. */
export function faultsOf(baseUrl: string, request: HostileRequest, response: HostileResponse): string[] {
  const { status, header, text } = response;
  const faults = status >= 500 && status !== 503 ? [`the status ${status}: ${text.slice(0, 300)}`] : [];
  // An HTTP parser or CloudFront rejects some requests before anything of the API sees them.
  const isOfApi = header('x-request-id') !== undefined || header('content-type')?.includes('json');
  if (status >= 400 && !isOfApi) {
    return BEFORE_OPERATIONS.includes(status) ? faults : [...faults, `${status} of no part of the service`];
  }
  if (request.method === 'HEAD') return faults;
  return [...faults, ...errorFaults(response), ...documentFaults(baseUrl, request, response)];
}

/** Returns what is wrong with the body of an error. */
function errorFaults({ status, header, text }: HostileResponse): string[] {
  if (status < 400) return [];
  const body = parsed(text);
  const isObject = typeof body === 'object' && body !== null;
  const error = isObject && 'error' in body ? body.error : undefined;
  if (typeof error !== 'string' || error === '') return [`${status} without an error: ${text.slice(0, 300)}`];
  if (header('content-type') !== 'application/json') return [`an error as ${header('content-type')}`];
  return /\n\s+at |node_modules|<html/.test(text) ? [`an error with internals: ${text.slice(0, 300)}`] : [];
}

/** Returns how a response differs from what the OpenAPI document says of the operation. */
function documentFaults(baseUrl: string, request: HostileRequest, response: HostileResponse): string[] {
  const url = new URL(baseUrl + request.target);
  const sentPath = request.target.split('?', 1)[0];
  // The URL of another path, such as that of `/a/../b`: the operation is not the one that it names.
  if (url.pathname !== sentPath) return [];
  const { status, header, text } = response;
  // API Gateway adds the type to responses without a body, such as redirects.
  const isEmpty = status === 204 || (status === 303 && text === '');
  const isJson = !isEmpty && (header('content-type')?.includes('json') ?? false);
  if (isJson && parsed(text) === undefined) return [`${status} with invalid JSON: ${text.slice(0, 300)}`];
  const body = isJson || text === '' ? { body: text } : {};
  return undocumented({ method: request.method, url, status, header, ...body });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
