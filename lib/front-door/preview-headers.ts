import type { ResponseHeadersPolicyProps } from 'aws-cdk-lib/aws-cloudfront';

/** Where projects may load files from: the console gives them as `blob:` URLs. */
const SOURCES = 'blob: data: https:';

/**
 * The policy of the page that runs projects in a frame of the console. `sandbox` gives it an opaque origin, also when it is opened
 * directly. A project may load libraries, fonts and pictures of other origins, but it cannot call this service or any other.
 */
export const PREVIEW_POLICY = [
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
