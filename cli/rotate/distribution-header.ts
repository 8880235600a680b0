import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CloudFrontClient,
  type DistributionConfig,
  GetDistributionCommand,
  GetDistributionConfigCommand,
  type OriginCustomHeader,
  UpdateDistributionCommand,
} from '@aws-sdk/client-cloudfront';
import { ORIGIN_SECRET_HEADER } from '../../lambda/access/viewer-address.ts';

/** Changes of other callers before an update gives up. */
const ROUNDS = 5;

/** AWS deploys changes within minutes. */
const DEPLOYED_WITHIN_MS = 45 * 60_000;

/** Returns the origin secrets in the configurations of distributions. */
export async function sentSecrets(ids: readonly string[], cloudFront: CloudFrontClient): Promise<string[]> {
  const found = await Promise.all(
    ids.map(async (Id) => {
      const { DistributionConfig } = await cloudFront.send(new GetDistributionConfigCommand({ Id }));
      return secretHeaders(DistributionConfig).map(({ HeaderValue = '' }) => HeaderValue);
    }),
  );
  return found.flat();
}

/**
 * Makes the origins of a distribution that get an origin secret get this one. An update names the configuration that it
 * changes, so that it undoes no other change.
 * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_UpdateDistribution.html
 * @throws the SDK's error, PreconditionFailed if others keep changing the configuration
 */
export async function replaceHeader(Id: string, secret: string, cloudFront: CloudFrontClient): Promise<void> {
  for (let round = 1; ; round++) {
    const { DistributionConfig, ETag } = await cloudFront.send(new GetDistributionConfigCommand({ Id }));
    const outdated = secretHeaders(DistributionConfig).filter(({ HeaderValue }) => HeaderValue !== secret);
    if (outdated.length === 0) return;
    for (const header of outdated) header.HeaderValue = secret;
    try {
      await cloudFront.send(new UpdateDistributionCommand({ Id, IfMatch: ETag, DistributionConfig }));
      return;
    } catch (error) {
      if ((error as Error).name !== 'PreconditionFailed' || round === ROUNDS) throw error;
    }
  }
}

/** Waits until every edge location has the configuration of a distribution. @throws Error after 45 minutes */
export async function waitUntilDeployed(
  Id: string,
  cloudFront: CloudFrontClient,
  pollMs: number,
): Promise<void> {
  const deadline = Date.now() + DEPLOYED_WITHIN_MS;
  while (Date.now() < deadline) {
    const { Distribution } = await cloudFront.send(new GetDistributionCommand({ Id }));
    if (Distribution?.Status === 'Deployed') return;
    await sleep(pollMs);
  }
  throw new Error(`CloudFront still deploys ${Id}: run the command again later, it continues`);
}

function secretHeaders(config: DistributionConfig | undefined): OriginCustomHeader[] {
  const headers = (config?.Origins?.Items ?? []).flatMap(({ CustomHeaders }) => CustomHeaders?.Items ?? []);
  return headers.filter(({ HeaderName }) => HeaderName?.toLowerCase() === ORIGIN_SECRET_HEADER);
}
