import { Annotations, Aws, Duration, type SecretValue, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CacheHeaderBehavior,
  CachePolicy,
  type CfnDistribution,
  Distribution,
  type DistributionProps,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  FunctionUrlOriginAccessControl,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  type IOrigin,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  PriceClass,
  ResponseHeadersPolicy,
  type ResponseHeadersPolicyProps,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { FunctionUrlOrigin, HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { FunctionUrl } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { CHALLENGE, ORIGIN_SECRET_HEADER } from '../../lambda/access/viewer-address.ts';
import { CACHE_TAG_HEADER, NAVIGATION_HEADER } from '../../lambda/sites/edge.ts';
import { type Api, STAGE } from '../api/rest-api.ts';
import type { StageConfig } from '../config.ts';
import type { ServicePages } from '../pages/service-pages.ts';
import { edgeCode } from './edge-code.ts';
import { previewHeaders } from './preview-headers.ts';

export interface FrontDoorProps {
  readonly api: Api;
  readonly originSecret: SecretValue;
  readonly siteUrl: FunctionUrl;
  readonly downloadUrl: FunctionUrl;
  readonly pages: ServicePages;
  readonly config: StageConfig;
}

/** A year. Not for subdomains, which may be other services, and not for the preload lists, which would be permanent. */
const STRICT_TRANSPORT_SECURITY = {
  accessControlMaxAge: Duration.days(365),
  includeSubdomains: false,
  preload: false,
  override: true,
};

const PAGE_HEADERS: ResponseHeadersPolicyProps = {
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

/** Errors that CloudFront would otherwise cache for 10 s, regardless of their Cache-Control. */
const ERROR_STATUSES = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** Ids have twelve characters. Zip files that belong to a site have longer paths. */
const DOWNLOADS = '/d/????????????.zip';

/**
 * CloudFront: one base URL for the API, the deployed pages and the service's own pages. With `siteDomain`, a second
 * distribution gives every deployment its own origin.
 */
export class FrontDoor extends Construct {
  /** The distribution that serves deployed pages. */
  readonly pagesDistribution: Distribution;
  readonly baseUrl: string;
  /** `https://*.<siteDomain>`, if it is configured. */
  readonly siteOrigin: string | undefined;

  constructor(scope: Construct, id: string, props: FrontDoorProps) {
    super(scope, id);
    const { config } = props;
    const sites = this.#sites(props);
    const keysOfApi = props.pages.keys.filter((key) => key.startsWith('api/'));
    const behind = this.#behind(
      'ViewerRequest',
      'Sets the viewer address and host, and detects navigations',
      props.pages.keys,
    );
    const pages = behind(this.#pages(props));
    const api = this.#withoutChallenge(behind(this.#api(props)));
    const distribution = this.#distribution('Distribution', {
      comment: `prompt-to-project ${config.stage}`,
      // A second safeguard beside the edge function's rewrite: the bucket's root would list its objects.
      defaultRootObject: 'index.html',
      defaultBehavior: pages,
      additionalBehaviors: {
        // Unlike a wildcard, these leave unknown paths to the API.
        ...Object.fromEntries(keysOfApi.map((key) => [`/${key}`, pages])),
        // With and without a slash at the end.
        '/preview*': this.#preview(pages),
        '/api/*': api,
        '/mcp': api,
        [DOWNLOADS]: behind(this.#downloads(props, sites)),
        '/d/*': behind(sites),
      },
      ...this.#names(config.domainName, config.certificateArn),
    });
    Annotations.of(distribution).acknowledgeWarning(
      '@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
      'The default root object is set, and the edge function never requests a folder.',
    );
    this.baseUrl = `https://${config.domainName ?? distribution.distributionDomainName}`;
    this.siteOrigin = config.siteDomain && `https://*.${config.siteDomain}`;
    this.pagesDistribution = config.siteDomain ? this.#ownOrigins(config, sites) : distribution;
  }

  #ownOrigins({ stage, siteDomain, siteCertificateArn }: StageConfig, sites: BehaviorOptions): Distribution {
    const behind = this.#behind('OwnOriginRequest', 'Maps the host to a deployment');
    return this.#distribution('Sites', {
      comment: `prompt-to-project ${stage}: an origin for each deployment`,
      defaultBehavior: behind(sites),
      ...this.#names(`*.${siteDomain}`, siteCertificateArn),
    });
  }

  #distribution(id: string, props: DistributionProps): Distribution {
    const distribution = new Distribution(this, id, {
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      errorResponses: ERROR_STATUSES.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      ...props,
    });
    // The L2 construct has no property for the header that carries a response's cache tags.
    (distribution.node.defaultChild as CfnDistribution).addPropertyOverride(
      'DistributionConfig.CacheTagConfig',
      { HeaderName: CACHE_TAG_HEADER },
    );
    return distribution;
  }

  /**
   * Returns a function that associates a CloudFront function for requests with a behavior.
   *
   * @param pages keys of the service's own pages
   */
  #behind(
    id: string,
    comment: string,
    pages: readonly string[] = [],
  ): (behavior: BehaviorOptions) => BehaviorOptions {
    const file = id.replace(/[A-Z]/g, (letter, at) => `${at > 0 ? '-' : ''}${letter.toLowerCase()}`);
    const edge = this.#edgeFunction(id, comment, edgeCode(['navigation', file], pages));
    return (behavior) => ({
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      functionAssociations: [{ function: edge, eventType: FunctionEventType.VIEWER_REQUEST }],
      ...behavior,
    });
  }

  /** Limits the challenge to errors, which CloudFront cannot distinguish by their status. */
  #withoutChallenge(behavior: BehaviorOptions): BehaviorOptions {
    const edge = this.#edgeFunction(
      'ViewerResponse',
      'Removes the challenge of successes',
      edgeCode(['viewer-response']),
    );
    const association = { function: edge, eventType: FunctionEventType.VIEWER_RESPONSE };
    return { ...behavior, functionAssociations: [...(behavior.functionAssociations ?? []), association] };
  }

  #edgeFunction(id: string, comment: string, code: string): EdgeFunction {
    return new EdgeFunction(this, id, {
      code: FunctionCode.fromInline(code),
      runtime: FunctionRuntime.JS_2_0,
      comment,
    });
  }

  #api({ api, originSecret }: FrontDoorProps): BehaviorOptions {
    return {
      origin: new HttpOrigin(api.host, {
        originPath: `/${STAGE}`,
        customHeaders: { [ORIGIN_SECRET_HEADER]: originSecret.unsafeUnwrap() },
        // The maximum without a quota increase.
        readTimeout: Duration.seconds(120),
      }),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      // API Gateway renames this header, and only a policy can add it to errors.
      responseHeadersPolicy: new ResponseHeadersPolicy(this, 'ApiHeaders', {
        responseHeadersPolicyName: this.#accountWide('ApiHeaders'),
        securityHeadersBehavior: { strictTransportSecurity: STRICT_TRANSPORT_SECURITY },
        customHeadersBehavior: {
          customHeaders: [{ header: 'WWW-Authenticate', value: CHALLENGE, override: false }],
        },
      }),
    };
  }

  #sites({ siteUrl }: FrontDoorProps): BehaviorOptions {
    return {
      origin: this.#functionOrigin('Site', siteUrl),
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      cachePolicy: new CachePolicy(this, 'SitesCache', {
        comment: 'The origin says how long: usually it is asked for every request',
        headerBehavior: CacheHeaderBehavior.allowList(NAVIGATION_HEADER),
        minTtl: Duration.seconds(0),
        defaultTtl: Duration.seconds(0),
        maxTtl: Duration.days(365),
        enableAcceptEncodingBrotli: true,
        enableAcceptEncodingGzip: true,
      }),
      originRequestPolicy: new OriginRequestPolicy(this, 'SitesRequest', {
        originRequestPolicyName: this.#accountWide('SitesRequest'),
        comment: 'Redirects keep the query',
        queryStringBehavior: OriginRequestQueryStringBehavior.all(),
      }),
      responseHeadersPolicy: new ResponseHeadersPolicy(this, 'SitesHeaders', {
        responseHeadersPolicyName: this.#accountWide('SitesHeaders'),
        securityHeadersBehavior: { strictTransportSecurity: STRICT_TRANSPORT_SECURITY },
      }),
    };
  }

  /** Like sites, but not cached, and from a function that streams: an archive can exceed the limit of buffered responses. */
  #downloads({ downloadUrl }: FrontDoorProps, sites: BehaviorOptions): BehaviorOptions {
    const origin = this.#functionOrigin('Download', downloadUrl);
    return { ...sites, origin, cachePolicy: CachePolicy.CACHING_DISABLED };
  }

  #pages({ pages }: FrontDoorProps): BehaviorOptions {
    return {
      // Without permission to list, S3 responds with 403 instead of 404 for a missing key.
      origin: S3BucketOrigin.withOriginAccessControl(pages.bucket, {
        originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
        originAccessControl: new S3OriginAccessControl(this, 'ConsoleAccess', {
          originAccessControlName: this.#accountWide('Console'),
        }),
      }),
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy: this.#headers('ConsoleHeaders', PAGE_HEADERS),
    };
  }

  /** Like the other pages, but the console may show it in a frame, and its headers isolate what runs in it. */
  #preview(pages: BehaviorOptions): BehaviorOptions {
    return { ...pages, responseHeadersPolicy: this.#headers('PreviewHeaders', previewHeaders(PAGE_HEADERS)) };
  }

  #headers(id: string, props: ResponseHeadersPolicyProps): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, id, {
      responseHeadersPolicyName: this.#accountWide(id),
      ...props,
    });
  }

  #functionOrigin(id: string, url: FunctionUrl): IOrigin {
    const originAccessControl = new FunctionUrlOriginAccessControl(this, `${id}Access`, {
      originAccessControlName: this.#accountWide(id),
    });
    return FunctionUrlOrigin.withOriginAccessControl(url, { originAccessControl });
  }

  /** Names are unique per account, not per region, and have at most 64 characters. */
  #accountWide(id: string): string {
    return `${Stack.of(this).stackName}-${id}-${Aws.REGION}`;
  }

  #names(domainName: string | undefined, certificateArn: string | undefined): Partial<DistributionProps> {
    if (domainName === undefined) return {};
    if (certificateArn === undefined) return { domainNames: [domainName] };
    const certificate = Certificate.fromCertificateArn(this, `Certificate${domainName}`, certificateArn);
    return { domainNames: [domainName], certificate };
  }
}
