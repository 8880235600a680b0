import type { AwsReply, AwsRequest } from '../aws-http.ts';
import type { Distribution } from './distribution.ts';
import { CloudFrontError } from './invalidations.ts';
import type { OriginHeaders } from './origin-headers.ts';
import { escapeXml, textsOf, xml } from './xml.ts';

const HEADERS = /<CustomHeaders>.*?<\/CustomHeaders>|<CustomHeaders\s*\/>/gs;

/** The calls of a distribution by method, after its path: `/config` or nothing. */
export const DISTRIBUTION_ACTIONS: Readonly<Record<string, string>> = {
  'GET /config': 'GetDistributionConfig',
  'PUT /config': 'UpdateDistribution',
  'GET ': 'GetDistribution',
};

/**
 * Returns the reply to a call. Of the configuration, updates can change the custom headers of origins.
 * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_UpdateDistribution.html
 * @throws CloudFrontError
 */
export function distributionCall(action: string, distribution: Distribution, request: AwsRequest): AwsReply {
  const { customHeaders } = distribution;
  if (action === 'UpdateDistribution') update(distribution, request);
  const body = action === 'GetDistributionConfig' ? configOf(distribution) : describe(distribution);
  return xml(200, body, { etag: customHeaders.etag });
}

function update(distribution: Distribution, { headers, body }: AwsRequest): void {
  const sent = body.toString();
  if (elementsOf(sent) !== elementsOf(configOf(distribution))) {
    const message = 'The local cloud supports changes of the custom headers of origins only';
    throw new CloudFrontError(501, 'NotImplemented', message);
  }
  distribution.customHeaders.update(headersOf(sent), headers['if-match']);
}

/** Returns all elements but custom headers, in no order. */
function elementsOf(config: string): string {
  const tags = config.replace(HEADERS, '').match(/<(?![?/])[^>\s]+[^>]*>[^<]*/g) ?? [];
  return tags
    .map((tag) =>
      tag
        .replace(/ xmlns="[^"]*"/, '')
        .replace(/\s*\/>/, '>')
        .trim(),
    )
    .toSorted()
    .join('\n');
}

/** Returns the custom headers of the origins in a configuration, by the id of the origin. */
function headersOf(config: string): Map<string, OriginHeaders> {
  const origins = config.match(/<Origin>.*?<\/Origin>/gs) ?? [];
  return new Map(
    origins.map((origin) => {
      const names = textsOf(origin, 'HeaderName');
      const values = textsOf(origin, 'HeaderValue');
      const headers = names.map((HeaderName, at) => ({ HeaderName, HeaderValue: values[at] ?? '' }));
      return [textsOf(origin, 'Id')[0] ?? '', headers];
    }),
  );
}

/** Returns the parts of a configuration that the API requires. */
function configOf({ id, config, customHeaders }: Distribution): string {
  const origins = config.Origins.map(({ Id, DomainName, OriginPath }) => {
    const headers = (customHeaders.configured.get(Id) ?? []).map(
      ({ HeaderName, HeaderValue }) =>
        `<OriginCustomHeader><HeaderName>${escapeXml(HeaderName)}</HeaderName><HeaderValue>${escapeXml(HeaderValue)}</HeaderValue></OriginCustomHeader>`,
    );
    return `<Origin><Id>${escapeXml(Id)}</Id><DomainName>${DomainName}</DomainName><OriginPath>${OriginPath}</OriginPath><CustomHeaders>${list(headers)}</CustomHeaders></Origin>`;
  });
  const { TargetOriginId } = config.DefaultCacheBehavior;
  const behavior = `<TargetOriginId>${escapeXml(TargetOriginId)}</TargetOriginId><ViewerProtocolPolicy>redirect-to-https</ViewerProtocolPolicy>`;
  return `<DistributionConfig xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><CallerReference>${id}</CallerReference><Origins>${list(origins)}</Origins><DefaultCacheBehavior>${behavior}</DefaultCacheBehavior><Comment>local</Comment><Enabled>true</Enabled></DistributionConfig>`;
}

function list(items: readonly string[]): string {
  const content = items.length === 0 ? '' : `<Items>${items.join('')}</Items>`;
  return `<Quantity>${items.length}</Quantity>${content}`;
}

function describe(distribution: Distribution): string {
  const { id, domainName, customHeaders } = distribution;
  const now = new Date().toISOString();
  return `<Distribution><Id>${id}</Id><ARN>${id}</ARN><Status>${customHeaders.status}</Status><LastModifiedTime>${now}</LastModifiedTime><InProgressInvalidationBatches>0</InProgressInvalidationBatches><DomainName>${domainName}</DomainName>${configOf(distribution)}</Distribution>`;
}
