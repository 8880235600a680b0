import { VIEWER_HOST_HEADER } from '../access/viewer-address.ts';
import type { ApiRequest } from './request.ts';

/**
 * Returns the absolute URL of an API path (`/api/v1/…`) on the origin that `request` was sent to, because clients drop
 * `Authorization` when a redirect leads to another origin (Fetch standard, HTTP-redirect fetch).
 */
export type ApiUrl = (
  request: Pick<ApiRequest, 'headers' | 'stage' | 'throughDistribution'>,
  path: string,
) => string;

/** @param baseUrl URL of the distribution, without a trailing slash */
export function apiUrls(baseUrl: string): ApiUrl {
  return (request, path) => {
    if (request.throughDistribution) {
      const url = new URL(path, baseUrl);
      // The distribution also has its own domain name. CloudFront passes the host without a port.
      url.hostname = request.headers[VIEWER_HOST_HEADER] ?? url.hostname;
      return url.href;
    }
    // API Gateway's own URL. It routes by Host, so the header is its name; it serves HTTPS only.
    return `https://${request.headers.host}/${request.stage}${path}`;
  };
}
