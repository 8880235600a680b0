import type { ApiMiddleware } from './middleware.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

/** Returns the response for a person in place of that of an error, or undefined for a program. */
export type ErrorPage = (
  request: ApiRequest,
  response: Pick<ApiResponse, 'statusCode'>,
) => ApiResponse | undefined;

/** Shows people a page of a function in place of an error, with the headers of both. */
export function errorPages(errorPage: ErrorPage = () => undefined): ApiMiddleware {
  return {
    onError: (handling) => {
      const { event, response } = handling;
      const page = response ? errorPage(event, response) : undefined;
      if (response && page)
        handling.response = { ...page, headers: { ...response.headers, ...page.headers } };
    },
  };
}
