import { formPage } from './form-page.ts';
import { type DataRequest, isNavigation } from './request.ts';
import { type DataProblem, type DataResponse, jsonResponse, privately, STATUSES } from './response.ts';

/**
 * Returns the response to a refused request: JSON for scripts, and a page for a form without one.
 * @param base path of the site on its origin
 */
export function problemResponse(
  request: Pick<DataRequest, 'method' | 'headers'>,
  { code, message, field, headers }: DataProblem,
  base: string,
): DataResponse {
  const status = STATUSES[code];
  const named = field === undefined ? {} : { field };
  const response =
    request.method === 'POST' && isNavigation(request)
      ? formPage({ status, code, ...named }, request.headers['accept-language'], backPath(request, base))
      : jsonResponse(status, { error: message, code, ...named });
  return privately({ ...response, headers: { ...response.headers, ...headers } });
}

/** Returns the path of the page that a form is on, or that of the site if the browser does not tell. */
export function backPath({ headers }: Pick<DataRequest, 'headers'>, base: string): string {
  const { referer = '' } = headers;
  if (!URL.canParse(referer)) return base;
  const { pathname, search } = new URL(referer);
  return pathname.startsWith(base) && !pathname.startsWith('//') ? pathname + search : base;
}
