import { throughDistribution, VIEWER_HOST_HEADER } from '../access/viewer-address.ts';
import type { ApiRequest } from './request.ts';

/**
 * The absolute URL of an API path (`/api/v1/…`), for the answer to `request`. It stays on the origin that the request came
 * to, because clients drop `Authorization` when a redirect leads to another origin (Fetch standard, HTTP-redirect fetch).
 */
export type ApiUrl = (request: Pick<ApiRequest, 'headers' | 'sourceIp' | 'stage'>, path: string) => string;

/** @param baseUrl where the distribution is, without a slash at the end */
export function apiUrls(baseUrl: string, originSecret: string): ApiUrl {
  return (request, path) => {
    if (throughDistribution(request, originSecret)) {
      const url = new URL(path, baseUrl);
      // The distribution has a name of its own beside that of the base URL. CloudFront tells a host without a port.
      url.hostname = request.headers[VIEWER_HOST_HEADER] ?? url.hostname;
      return url.href;
    }
    // API Gateway's own address. It routes by Host, so this is the name that the request was sent to; it has TLS only.
    return `https://${request.headers.host}/${request.stage}${path}`;
  };
}
