import { HeadersFrameOption, HeadersReferrerPolicy, type ResponseHeadersPolicyProps } from 'aws-cdk-lib/aws-cloudfront';
import { Duration } from 'aws-cdk-lib/core';

/** A year. Not for subdomains, which may be other services, and not for the preload lists, which would be permanent. */
export const STRICT_TRANSPORT_SECURITY = {
  accessControlMaxAge: Duration.days(365),
  includeSubdomains: false,
  preload: false,
  override: true,
};

/** Headers of the service's own pages. */
export const PAGE_HEADERS: ResponseHeadersPolicyProps = {
  securityHeadersBehavior: {
    strictTransportSecurity: STRICT_TRANSPORT_SECURITY,
    contentTypeOptions: { override: true },
    frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
    referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
  },
  // Programs of other origins read the description of the API, for example. No page depends on credentials.
  corsBehavior: {
    accessControlAllowOrigins: ['*'],
    accessControlAllowMethods: ['GET', 'HEAD'],
    accessControlAllowHeaders: ['*'],
    accessControlAllowCredentials: false,
    originOverride: true,
  },
  customHeadersBehavior: {
    // Deployed pages are untrusted and may share the origin: they must not get a reference to these windows.
    customHeaders: [
      { header: 'Cross-Origin-Opener-Policy', value: 'same-origin', override: true },
      // Where programs find the description of the API (RFC 8631).
      { header: 'Link', value: '</api/v1/openapi.json>; rel="service-desc"', override: false },
    ],
  },
};

/** Where projects may load files from: the console gives them as `blob:` URLs. */
const SOURCES = 'blob: data: https:';

/**
 * The policy of the page that runs projects in a frame of the console. `sandbox` gives it an opaque origin, also when it is opened
 * directly. A project may load libraries, fonts and pictures of other origins, but it cannot call this service or any other.
 */
const PREVIEW_POLICY = [
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads',
  "default-src 'none'",
  `script-src 'unsafe-inline' 'unsafe-eval' ${SOURCES}`,
  `style-src 'unsafe-inline' ${SOURCES}`,
  `img-src ${SOURCES}`,
  `font-src ${SOURCES}`,
  `media-src ${SOURCES}`,
  'worker-src blob: data:',
  'connect-src blob: data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Returns the headers of the preview from those of the other pages. */
export function previewHeaders(pages: ResponseHeadersPolicyProps): ResponseHeadersPolicyProps {
  const { frameOptions: _, ...others } = pages.securityHeadersBehavior ?? {};
  return {
    securityHeadersBehavior: {
      ...others,
      contentSecurityPolicy: { contentSecurityPolicy: PREVIEW_POLICY, override: true },
    },
  };
}
