import { Annotations, Aws, Duration, type SecretValue } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
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
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  PriceClass,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { FunctionUrlOrigin, HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { FunctionUrl } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { ORIGIN_SECRET_HEADER } from '../../lambda/access/viewer-address.ts';
import { CACHE_TAG_HEADER, NAVIGATION_HEADER } from '../../lambda/deployments/edge.ts';
import type { StageConfig } from '../config.ts';
import { STAGE } from './rest-api.ts';

export interface FrontDoorProps {
  readonly restApi: RestApi;
  readonly originSecret: SecretValue;
  readonly siteUrl: FunctionUrl;
  readonly console: IBucket;
  readonly config: StageConfig;
}

/** Errors that CloudFront would otherwise keep for 10 s, whatever their Cache-Control says. */
const ERROR_STATUSES = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** CloudFront: one base URL for the API, the deployed pages and the service's own pages. */
export class FrontDoor extends Construct {
  readonly distribution: Distribution;
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, props: FrontDoorProps) {
    super(scope, id);
    const edge = this.#edgeFunction();
    const behind = (behavior: BehaviorOptions): BehaviorOptions => ({
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      functionAssociations: [{ function: edge, eventType: FunctionEventType.VIEWER_REQUEST }],
      ...behavior,
    });
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `prompt-to-project ${props.config.stage}`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      // Beside the edge function's rewrite: an origin that may list must never be asked for its root.
      defaultRootObject: 'index.html',
      defaultBehavior: behind(this.#console(props)),
      additionalBehaviors: { '/api/*': behind(this.#api(props)), '/d/*': behind(this.#sites(props)) },
      errorResponses: ERROR_STATUSES.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      ...this.#domain(props.config),
    });
    Annotations.of(this.distribution).acknowledgeWarning(
      '@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
      'The default root object is set, and the edge function never asks for a folder.',
    );
    // No property of the L2 construct has it: which header names an answer's cache tags.
    (this.distribution.node.defaultChild as CfnDistribution).addPropertyOverride(
      'DistributionConfig.CacheTagConfig',
      { HeaderName: CACHE_TAG_HEADER },
    );
    this.baseUrl = `https://${props.config.domainName ?? this.distribution.distributionDomainName}`;
  }

  #edgeFunction(): EdgeFunction {
    return new EdgeFunction(this, 'ViewerRequest', {
      code: FunctionCode.fromFile({ filePath: 'lib/api/viewer-request.js' }),
      runtime: FunctionRuntime.JS_2_0,
      comment: 'Tells the API who calls, and the sites whether somebody navigates',
    });
  }

  #api({ restApi, originSecret }: FrontDoorProps): BehaviorOptions {
    return {
      origin: new HttpOrigin(`${restApi.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`, {
        originPath: `/${STAGE}`,
        customHeaders: { [ORIGIN_SECRET_HEADER]: originSecret.unsafeUnwrap() },
        // The longest that CloudFront offers without a quota request.
        readTimeout: Duration.seconds(120),
      }),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    };
  }

  #sites({ siteUrl }: FrontDoorProps): BehaviorOptions {
    return {
      origin: FunctionUrlOrigin.withOriginAccessControl(siteUrl),
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      cachePolicy: new CachePolicy(this, 'SitesCache', {
        comment: 'Kept until the deployment’s cache tag is dropped',
        headerBehavior: CacheHeaderBehavior.allowList(NAVIGATION_HEADER),
        minTtl: Duration.seconds(0),
        defaultTtl: Duration.seconds(0),
        maxTtl: Duration.days(365),
        enableAcceptEncodingBrotli: true,
        enableAcceptEncodingGzip: true,
      }),
      originRequestPolicy: new OriginRequestPolicy(this, 'SitesRequest', {
        comment: 'The query goes along with a redirect',
        queryStringBehavior: OriginRequestQueryStringBehavior.all(),
      }),
    };
  }

  #console({ console }: FrontDoorProps): BehaviorOptions {
    return {
      // Who may not list a bucket is told 403 for a key that is not there.
      origin: S3BucketOrigin.withOriginAccessControl(console, {
        originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
      }),
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy: new ResponseHeadersPolicy(this, 'ConsoleHeaders', {
        securityHeadersBehavior: {
          contentTypeOptions: { override: true },
          frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
          referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        },
        customHeadersBehavior: {
          // Deployed pages are hostile and may share the origin: they get no hold on a window of the console.
          customHeaders: [{ header: 'Cross-Origin-Opener-Policy', value: 'same-origin', override: true }],
        },
      }),
    };
  }

  #domain({ domainName, certificateArn }: StageConfig): Partial<DistributionProps> {
    if (!domainName || !certificateArn) return {};
    return {
      domainNames: [domainName],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
    };
  }
}
