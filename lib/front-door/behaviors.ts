import { readFileSync } from 'node:fs';
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  FunctionUrlOriginAccessControl,
  type IOrigin,
  type OriginProps,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  ResponseHeadersPolicy,
  type ResponseHeadersPolicyProps,
  S3OriginAccessControl,
} from 'aws-cdk-lib/aws-cloudfront';
import { FunctionUrlOrigin, HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { FunctionUrl } from 'aws-cdk-lib/aws-lambda';
import { Aws, Duration, type SecretValue, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import {
  CHALLENGE,
  ORIGIN_SECRET_HEADER,
  VIEWER_ADDRESS_HEADER,
  VIEWER_HOST_HEADER,
} from '../../lambda/access/viewer-address.ts';
import {
  ACCESS_COOKIES,
  BASE_URL_HEADER,
  DATA_COOKIES,
  NAVIGATION_HEADER,
  OWN_CALL_HEADER,
  QUERY_HEADER,
} from '../../lambda/sites/edge.ts';
import { type Api, STAGE } from '../api.ts';
import type { ServicePages } from '../pages.ts';
import { TENANT_ORIGIN_PATH } from './domains.ts';
import { PAGE_HEADERS, previewHeaders, STRICT_TRANSPORT_SECURITY } from './page-headers.ts';

const HTTPS_ONLY: ResponseHeadersPolicyProps = {
  securityHeadersBehavior: { strictTransportSecurity: STRICT_TRANSPORT_SECURITY },
};

/** Without its word, CloudFront asks for every request. */
const AS_THE_ORIGIN_SAYS = {
  minTtl: Duration.seconds(0),
  defaultTtl: Duration.seconds(0),
  maxTtl: Duration.days(365),
} as const;

/** @param originPath begins with that of the stage */
export function apiOrigin(api: Api, originSecret: SecretValue, originPath = `/${STAGE}`): IOrigin {
  return new HttpOrigin(api.host, {
    originPath,
    customHeaders: { [ORIGIN_SECRET_HEADER]: originSecret.unsafeUnwrap() },
    // The maximum without a quota increase.
    readTimeout: Duration.seconds(120),
  });
}

/** The API, which is never cached. */
export function apiBehavior(scope: Construct, api: Api, originSecret: SecretValue): BehaviorOptions {
  return {
    origin: apiOrigin(api, originSecret),
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    // API Gateway renames this header, and only a policy can add it to errors.
    responseHeadersPolicy: headers(scope, 'ApiHeaders', {
      ...HTTPS_ONLY,
      customHeadersBehavior: {
        customHeaders: [{ header: 'WWW-Authenticate', value: CHALLENGE, override: false }],
      },
    }),
  };
}

/** The headers with which the function of data decides, besides those that CloudFront always passes on; a policy has at most ten. */
const READ_OF_DATA = [
  VIEWER_ADDRESS_HEADER,
  VIEWER_HOST_HEADER,
  'Accept',
  'Accept-Language',
  'Idempotency-Key',
  'Origin',
  'Referer',
  'Sec-Fetch-Mode',
  'Sec-Fetch-Site',
  'User-Agent',
] as const;

/** The data that visitors of sites share, which the API serves and nothing caches. */
export function dataBehavior(scope: Construct, { origin }: Pick<BehaviorOptions, 'origin'>): BehaviorOptions {
  return {
    origin,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: new OriginRequestPolicy(scope, 'DataPolicy', {
      originRequestPolicyName: accountWide(scope, 'DataRequest'),
      comment: 'Who a visitor is, where a form is from, and what admits to private pages',
      headerBehavior: OriginRequestHeaderBehavior.allowList(...READ_OF_DATA),
      cookieBehavior: OriginRequestCookieBehavior.allowList(
        ...Object.values(ACCESS_COOKIES),
        ...Object.values(DATA_COOKIES.visitor),
        ...Object.values(DATA_COOKIES.owner),
      ),
      queryStringBehavior: OriginRequestQueryStringBehavior.all(),
    }),
    responseHeadersPolicy: headers(scope, 'DataHeaders', HTTPS_ONLY),
  };
}

/** The API, for the data of sites on a domain of a caller: the origin's path names the deployment. */
export function tenantsDataOrigin(api: Api, originSecret: SecretValue): IOrigin {
  return apiOrigin(api, originSecret, `/${STAGE}/data${TENANT_ORIGIN_PATH}`);
}

/**
 * What the site function reads of a request besides its path. None of it is in the cache key: a response that depends on the cookie,
 * the language or the mode is not cached.
 */
const READ_OF_VISITS = [VIEWER_ADDRESS_HEADER, QUERY_HEADER, 'Accept-Language', 'Sec-Fetch-Mode'] as const;

/** The headers that it reads to count views. */
const READ_OF_VIEWS = ['Referer', 'Sec-Purpose', 'User-Agent', OWN_CALL_HEADER] as const;

/** Deployed pages. */
export function sitesBehavior(scope: Construct, siteUrl: FunctionUrl, countsViews: boolean): BehaviorOptions {
  return {
    origin: functionOrigin(scope, 'Site', siteUrl),
    allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
    cachePolicy: new CachePolicy(scope, 'SitesCache', {
      comment: 'The origin says how long: usually it is asked for every request',
      headerBehavior: CacheHeaderBehavior.allowList(NAVIGATION_HEADER),
      ...AS_THE_ORIGIN_SAYS,
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    }),
    originRequestPolicy: new OriginRequestPolicy(scope, 'SitesRequest', {
      originRequestPolicyName: accountWide(scope, 'SitesRequest'),
      comment: 'The query is in a header, and private pages have cookies',
      headerBehavior: OriginRequestHeaderBehavior.allowList(...READ_OF_VISITS, ...(countsViews ? READ_OF_VIEWS : [])),
      cookieBehavior: OriginRequestCookieBehavior.allowList(...Object.values(ACCESS_COOKIES)),
      queryStringBehavior: OriginRequestQueryStringBehavior.none(),
    }),
    responseHeadersPolicy: headers(scope, 'SitesHeaders', HTTPS_ONLY),
  };
}

/** Like sites, for pages on origins of their own: they link to the service. */
export function ownOriginsBehavior(
  scope: Construct,
  siteUrl: FunctionUrl,
  baseUrl: string,
  sites: BehaviorOptions,
): BehaviorOptions {
  return {
    ...sites,
    origin: functionOrigin(scope, 'OwnOrigin', siteUrl, { customHeaders: { [BASE_URL_HEADER]: baseUrl } }),
  };
}

/** Like pages on origins of their own, but the origin's path names the deployment. */
export function tenantsBehavior(
  scope: Construct,
  siteUrl: FunctionUrl,
  baseUrl: string,
  sites: BehaviorOptions,
): BehaviorOptions {
  return {
    ...sites,
    origin: functionOrigin(scope, 'Tenant', siteUrl, {
      customHeaders: { [BASE_URL_HEADER]: baseUrl },
      originPath: TENANT_ORIGIN_PATH,
    }),
  };
}

/** Like sites, but not cached, and from a function that streams: an archive can exceed the limit of buffered responses. */
export function downloadsBehavior(scope: Construct, downloadUrl: FunctionUrl, sites: BehaviorOptions): BehaviorOptions {
  return {
    ...sites,
    origin: functionOrigin(scope, 'Download', downloadUrl),
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: new OriginRequestPolicy(scope, 'DownloadsRequest', {
      originRequestPolicyName: accountWide(scope, 'DownloadsRequest'),
      comment: 'The function counts by address',
      headerBehavior: OriginRequestHeaderBehavior.allowList(VIEWER_ADDRESS_HEADER),
    }),
  };
}

/** Like sites, with the query in the key: it names the width and the version. */
export function picturesBehavior(scope: Construct, sites: BehaviorOptions): BehaviorOptions {
  return {
    ...sites,
    cachePolicy: new CachePolicy(scope, 'PicturesCache', {
      comment: 'The origin is asked for every request',
      queryStringBehavior: CacheQueryStringBehavior.allowList('width', 'version'),
      ...AS_THE_ORIGIN_SAYS,
    }),
  };
}

/** The service's own pages. */
export function pagesBehavior(scope: Construct, pages: ServicePages): BehaviorOptions {
  return {
    // Without permission to list, S3 responds with 403 instead of 404 for a missing key.
    origin: S3BucketOrigin.withOriginAccessControl(pages.bucket, {
      originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
      originAccessControl: new S3OriginAccessControl(scope, 'ConsoleAccess', {
        originAccessControlName: accountWide(scope, 'Console'),
      }),
    }),
    allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
    cachePolicy: CachePolicy.CACHING_OPTIMIZED,
    responseHeadersPolicy: headers(scope, 'ConsoleHeaders', PAGE_HEADERS),
  };
}

/** A page that a function of the API makes, with the headers of the service's other pages. */
export function formBehavior(api: BehaviorOptions, { responseHeadersPolicy }: BehaviorOptions): BehaviorOptions {
  return { ...api, ...(responseHeadersPolicy && { responseHeadersPolicy }) };
}

/** Like the other pages, but the console may show it in a frame, and its headers isolate what runs in it. */
export function previewBehavior(scope: Construct, pages: BehaviorOptions): BehaviorOptions {
  return { ...pages, responseHeadersPolicy: headers(scope, 'PreviewHeaders', previewHeaders(PAGE_HEADERS)) };
}

function headers(scope: Construct, id: string, props: ResponseHeadersPolicyProps): ResponseHeadersPolicy {
  return new ResponseHeadersPolicy(scope, id, {
    responseHeadersPolicyName: accountWide(scope, id),
    ...props,
  });
}

function functionOrigin(scope: Construct, id: string, url: FunctionUrl, props: OriginProps = {}): IOrigin {
  const originAccessControl = new FunctionUrlOriginAccessControl(scope, `${id}Access`, {
    originAccessControlName: accountWide(scope, id),
  });
  return FunctionUrlOrigin.withOriginAccessControl(url, { originAccessControl, ...props });
}

/** Names are unique per account, not per region, and have at most 64 characters. */
function accountWide(scope: Construct, id: string): string {
  return `${Stack.of(scope).stackName}-${id}-${Aws.REGION}`;
}

/**
 * Returns the code of a CloudFront function, which has no modules: that of files in `edge/`, after a table of the pages.
 *
 * @param pages keys of the service's own pages
 */
export function edgeCode(files: readonly string[], pages: readonly string[] = []): string {
  const table = pages.length > 0 ? [`const PAGES = ${JSON.stringify(pagePaths(pages))};`] : [];
  return [...table, ...files.map((name) => readFileSync(`lib/front-door/edge/${name}.js`, 'utf8'))].join('\n');
}

/** Returns the key of each path. An index has the path of its folder, with and without a slash at the end. */
function pagePaths(keys: readonly string[]): Readonly<Record<string, string>> {
  const pathsOf = (key: string) => {
    const [, folder] = /^(.*?)\/?index\.html$/.exec(key) ?? [];
    if (folder === undefined) return [`/${key}`];
    return folder === '' ? ['/'] : [`/${folder}`, `/${folder}/`];
  };
  return Object.fromEntries(keys.flatMap((key) => pathsOf(key).map((path) => [path, `/${key}`])));
}
