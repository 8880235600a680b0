import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  type ResponseHeadersPolicyProps,
} from 'aws-cdk-lib/aws-cloudfront';
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
