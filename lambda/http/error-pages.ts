import type { ApiMiddleware } from './middleware.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

/** Returns the page in place of the JSON of an error, or undefined for a program. */
export type ErrorPage = (
  request: ApiRequest,
  response: Pick<ApiResponse, 'statusCode'>,
) => string | undefined;

/** Shows people a page in place of the JSON of an error; its status and headers stay. */
export function errorPages(errorPage: ErrorPage = () => undefined): ApiMiddleware {
  return {
    onError: (handling) => {
      const { event, response } = handling;
      const page = response ? errorPage(event, response) : undefined;
      if (!response || page === undefined) return;
      const { body: _, ...rest } = response;
      handling.response = { ...rest, page };
    },
  };
}
