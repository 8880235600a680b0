import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  type CfnDistribution,
  Distribution,
  type DistributionProps,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  PriceClass,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import type { FunctionUrl } from 'aws-cdk-lib/aws-lambda';
import { Annotations, Duration, type SecretValue } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { CACHE_TAG_HEADER } from '../../lambda/sites/edge.ts';
import type { Api } from '../api.ts';
import type { StageConfig } from '../config.ts';
import { countsViews } from '../deployments/views.ts';
import type { ServicePages } from '../pages.ts';
import { FetchedSecret } from '../platform/fetched-secret.ts';
import {
  apiBehavior,
  apiOrigin,
  dataBehavior,
  downloadsBehavior,
  edgeCode,
  formBehavior,
  ownOriginsBehavior,
  pagesBehavior,
  picturesBehavior,
  previewBehavior,
  sitesBehavior,
  tenantsBehavior,
  tenantsDataOrigin,
} from './behaviors.ts';
import { type Certificates, CustomDomains, certificatesOf, Dns } from './domains.ts';
import { WebAcl } from './web-acl.ts';

interface FrontDoorProps {
  readonly api: Api;
  readonly originSecret: SecretValue;
  readonly siteUrl: FunctionUrl;
  readonly downloadUrl: FunctionUrl;
  readonly pages: ServicePages;
  readonly config: StageConfig;
  /** Certificates from another stack; by default, they are in this stack. */
  readonly certificates?: Certificates | undefined;
}

/** Errors that CloudFront would otherwise cache for 10 s, regardless of their Cache-Control. */
const ERROR_STATUSES = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** Ids have twelve characters. Files that belong to a site have longer paths. */
const DATA = '/d/*/.data/*';
const OWN_DATA = '*/.data/*';
const DOWNLOADS = '/d/????????????.zip';
const PICTURES = '/d/????????????.png';

/**
 * CloudFront: one base URL for the API, the deployed pages and the service's own pages. With `siteDomain`, a second
 * distribution gives every deployment its own origin; with `customDomains`, another one serves their custom domains.
 */
export class FrontDoor extends Construct {
  /** The distribution of the base URL. */
  readonly distribution: Distribution;
  /** The distribution that serves deployed pages. */
  readonly pagesDistribution: Distribution;
  readonly baseUrl: string;
  /** `https://*.<siteDomain>`, if it is configured. */
  readonly siteOrigin: string | undefined;
  /** The distribution of the custom domains of deployments, if the configuration has them. */
  readonly customDomains: CustomDomains | undefined;
  /** Exempts the service's own visits of pages from the web ACLs, if the stack has them. */
  readonly ownCallSecret: FetchedSecret | undefined;
  readonly #siteUrl: FunctionUrl;

  constructor(scope: Construct, id: string, props: FrontDoorProps) {
    super(scope, id);
    const { config } = props;
    this.#siteUrl = props.siteUrl;
    const certificates = props.certificates ?? certificatesOf(this, config);
    this.ownCallSecret = config.waf
      ? new FetchedSecret(this, 'OwnCallSecret', {
          description: 'Exempts calls of the service from its web ACLs',
        })
      : undefined;
    const sites = sitesBehavior(this, props.siteUrl, countsViews(config));
    const keysOfApi = props.pages.keys.filter((key) => key.startsWith('api/'));
    const behind = this.#behind(
      'ViewerRequest',
      'Sets the viewer address and host, and detects navigations',
      props.pages.keys,
    );
    const pages = behind(pagesBehavior(this, props.pages));
    const apiBehaviors = apiBehavior(this, props.api, props.originSecret);
    const api = this.#withoutChallenge(behind(apiBehaviors));
    const data = config.data ? dataBehavior(this, apiBehaviors) : undefined;
    this.distribution = this.#distribution('Distribution', {
      comment: `prompt-to-project ${config.stage}`,
      ...this.#webAcl('WebAcl', config, true),
      // A second safeguard beside the edge function's rewrite: the bucket's root would list its objects.
      defaultRootObject: 'index.html',
      // Other methods reach the edge function, which responds to them with JSON.
      defaultBehavior: { ...pages, allowedMethods: AllowedMethods.ALLOW_ALL },
      additionalBehaviors: {
        // Unlike a wildcard, these leave unknown paths to the API.
        ...Object.fromEntries(keysOfApi.map((key) => [`/${key}`, pages])),
        // With and without a slash at the end.
        '/preview*': previewBehavior(this, pages),
        '/api/*': api,
        '/mcp': api,
        '/mcp/': api,
        '/report': formBehavior(api, pages),
        [DOWNLOADS]: behind(downloadsBehavior(this, props.downloadUrl, sites)),
        [PICTURES]: behind(picturesBehavior(this, sites)),
        ...(data && { [DATA]: this.#behindData('DataRequest', 'Sends the data of sites to the API')(data) }),
        '/d/*': behind(sites),
      },
      ...namesOf(config.domainName, certificates.service),
    });
    Annotations.of(this.distribution).acknowledgeWarning(
      '@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
      'The default root object is set, and the edge function never requests a folder.',
    );
    this.baseUrl = `https://${config.domainName ?? this.distribution.distributionDomainName}`;
    this.siteOrigin = config.siteDomain && `https://*.${config.siteDomain}`;
    this.pagesDistribution = config.siteDomain
      ? this.#ownOrigins(
          config,
          ownOriginsBehavior(this, props.siteUrl, this.baseUrl, sites),
          certificates.sites,
          data && { ...data, origin: apiOrigin(props.api, props.originSecret) },
        )
      : this.distribution;
    this.#lead(config);
    this.customDomains = config.customDomains
      ? this.#tenants(
          config,
          tenantsBehavior(this, props.siteUrl, this.baseUrl, sites),
          data && { ...data, origin: tenantsDataOrigin(props.api, props.originSecret) },
        )
      : undefined;
  }

  #tenants(config: StageConfig, sites: BehaviorOptions, data: BehaviorOptions | undefined): CustomDomains {
    const behind = this.#behind('TenantRequest', 'Sets the viewer address, and detects navigations');
    const distribution = this.#distribution('Tenants', {
      comment: `prompt-to-project ${config.stage}: custom domains`,
      ...this.#webAcl('TenantsWebAcl', config, false),
      defaultBehavior: behind(sites),
      ...this.#ownData('TenantDataRequest', data),
    });
    return new CustomDomains(this, 'CustomDomains', distribution);
  }

  /** Browsers resolve names under localhost themselves. */
  #lead({ domainName, siteDomain, hostedZones }: StageConfig): void {
    const dns = new Dns(this, 'Dns', hostedZones);
    if (domainName !== undefined) dns.lead(domainName, this.distribution, 'DomainRecord');
    if (siteDomain !== undefined && !siteDomain.endsWith('.localhost'))
      dns.lead(`*.${siteDomain}`, this.pagesDistribution, 'SiteDomainRecord');
  }

  #ownOrigins(
    config: StageConfig,
    sites: BehaviorOptions,
    certificate: ICertificate | undefined,
    data: BehaviorOptions | undefined,
  ): Distribution {
    const { stage, siteDomain } = config;
    const behind = this.#behind('OwnOriginRequest', 'Maps the host to a deployment');
    return this.#distribution('Sites', {
      comment: `prompt-to-project ${stage}: an origin for each deployment`,
      ...this.#webAcl('SitesWebAcl', config, false),
      defaultBehavior: behind(sites),
      ...this.#ownData('OwnDataRequest', data),
      ...namesOf(`*.${siteDomain}`, certificate),
    });
  }

  /** The data of sites on origins of their own, which have all paths. */
  #ownData(id: string, data: BehaviorOptions | undefined): Pick<DistributionProps, 'additionalBehaviors'> {
    if (data === undefined) return {};
    const behind = this.#behindData(id, 'Sends the data of a site to the API');
    return { additionalBehaviors: { [OWN_DATA]: behind(data) } };
  }

  #webAcl(id: string, { webAclArn }: StageConfig, hasApi: boolean): Partial<DistributionProps> {
    const { ownCallSecret } = this;
    const arn = ownCallSecret
      ? new WebAcl(this, id, { hasApi, ownCallSecret: ownCallSecret.secretValue }).arn
      : webAclArn;
    return arn === undefined ? {} : { webAclId: arn };
  }

  #distribution(id: string, props: DistributionProps): Distribution {
    const distribution = new Distribution(this, id, {
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      errorResponses: ERROR_STATUSES.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      ...props,
    });
    // The L2 construct has no property for the header that carries a response's cache tags.
    const resource = distribution.node.defaultChild as CfnDistribution;
    resource.addPropertyOverride('DistributionConfig.CacheTagConfig', { HeaderName: CACHE_TAG_HEADER });
    // Otherwise, an update could send requests to a URL before the distribution is allowed to invoke it.
    resource.node.addDependency(this.#siteUrl);
    return distribution;
  }

  /**
   * Returns a function that associates a CloudFront function for requests with a behavior.
   *
   * @param pages keys of the service's own pages
   */
  #behind(id: string, comment: string, pages: readonly string[] = []): (behavior: BehaviorOptions) => BehaviorOptions {
    return this.#behindFunction(id, comment, edgeCode(['navigation', fileOf(id)], pages));
  }

  #behindData(id: string, comment: string): (behavior: BehaviorOptions) => BehaviorOptions {
    return this.#behindFunction(id, comment, edgeCode(['data', fileOf(id)]));
  }

  #behindFunction(id: string, comment: string, code: string): (behavior: BehaviorOptions) => BehaviorOptions {
    const edge = this.#edgeFunction(id, comment, code);
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
    const edge = new EdgeFunction(this, id, {
      code: FunctionCode.fromInline(code),
      runtime: FunctionRuntime.JS_2_0,
      comment,
    });
    // An update publishes it at once: the site function must know the paths that it makes.
    edge.node.addDependency(this.#siteUrl);
    return edge;
  }
}

/** Returns the name of the file in `edge/` with the code of a function. */
const fileOf = (id: string): string =>
  id.replace(/[A-Z]/g, (letter, at) => `${at > 0 ? '-' : ''}${letter.toLowerCase()}`);

function namesOf(domainName: string | undefined, certificate: ICertificate | undefined): Partial<DistributionProps> {
  if (domainName === undefined) return {};
  return { domainNames: [domainName], ...(certificate && { certificate }) };
}
