import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CloudFrontClient,
  type DistributionConfig,
  GetDistributionCommand,
  GetDistributionConfigCommand,
  type OriginCustomHeader,
  UpdateDistributionCommand,
} from '@aws-sdk/client-cloudfront';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { originSecretDigest } from '../../lambda/access/origin-secrets.ts';
import type { OriginSecretState, StageItem, StageState } from '../../lambda/access/stage-state.ts';
import { ORIGIN_SECRET_HEADER } from '../../lambda/access/viewer-address.ts';

/** Milliseconds. */
export const ROTATION_WAITS = {
  /**
   * Until every instance has read the state, which it keeps for ten seconds, and an eventually consistent read shows
   * it.
   */
  spread: 15_000,
  /** Until requests end that came with the former secret and pass it on: those of agents, within 27 s. */
  drain: 30_000,
  /** Between two questions for the status of a distribution. */
  poll: 5_000,
};

interface RotationOptions {
  readonly secrets: SecretsManagerClient;
  readonly secretId: string;
  readonly cloudFront: CloudFrontClient;
  readonly distributions: readonly string[];
  readonly state: Pick<StageState, 'read' | 'replaceOriginSecrets'>;
  readonly say: (line: string) => void;
  readonly waits: typeof ROTATION_WAITS;
}

interface SecretVersion {
  readonly id: string;
  readonly value: string;
}

/**
 * A rotation of the secret that the distribution sends: functions accept both values until every edge location sends
 * the new one. Each step can be repeated, so a rotation that was interrupted continues with the next run.
 */
export class OriginRotation {
  readonly #options: RotationOptions;

  constructor(options: RotationOptions) {
    this.#options = options;
  }

  /** @throws Error that says what to do */
  async run(): Promise<void> {
    const { cloudFront, distributions, say, waits } = this.#options;
    const current = await this.#version('AWSCURRENT');
    if (!current) throw new Error('The origin secret has no value: deploy the stack again');
    const sent = await sentSecrets(distributions, cloudFront);
    const next = (await this.#unfinished(current, sent)) ?? (await this.#newVersion());

    await this.#accept([current.value, next.value, ...sent]);
    say('Functions accept the former and the new secret. Waiting until every instance knows both ...');
    await sleep(waits.spread);

    await this.#makeCurrent(next, current);
    for (const id of distributions) await replaceHeader(id, next.value, cloudFront);
    say('The distribution is being updated. Waiting until every edge location sends the new secret ...');
    for (const id of distributions) await waitUntilDeployed(id, cloudFront, waits.poll);
    await sleep(waits.drain);

    await this.#acceptOnly(next.value);
    say('The secret is rotated. The former one is refused everywhere within 10 seconds.');
  }

  /** Returns the secret of a rotation that was interrupted, or that a deployment has left behind. */
  async #unfinished(current: SecretVersion, sent: readonly string[]): Promise<SecretVersion | undefined> {
    const { say } = this.#options;
    const pending = await this.#version('AWSPENDING');
    const { originSecrets = [originSecretDigest(current.value)] } = await this.#state();
    const onlyCurrent = originSecrets.every((digest) => digest === originSecretDigest(current.value));
    const isPending = pending !== undefined && pending.id !== current.id;
    if (!isPending && onlyCurrent && sent.every((value) => value === current.value)) return undefined;
    say('A rotation was not finished: continuing it.');
    return isPending ? pending : current;
  }

  /** Stores a new value, which is not current yet: another run then continues with it. */
  async #newVersion(): Promise<SecretVersion> {
    const { secrets, secretId } = this.#options;
    const value = randomBytes(36).toString('base64url');
    const put = { SecretId: secretId, SecretString: value, VersionStages: ['AWSPENDING'] };
    const { VersionId: id = '' } = await secrets.send(new PutSecretValueCommand(put));
    return { id, value };
  }

  async #accept(values: readonly string[]): Promise<void> {
    const { originSecrets = [], retiredOriginSecrets = [], originRevision } = await this.#state();
    const accepted = [...new Set([...originSecrets, ...values.map(originSecretDigest)])];
    const retired = retiredOriginSecrets.filter((digest) => !accepted.includes(digest));
    await this.#replaceState(originRevision, { accepted, retired });
  }

  /** From now on, a deployment resolves the new value. */
  async #makeCurrent({ id }: SecretVersion, former: SecretVersion): Promise<void> {
    if (id === former.id) return;
    const { secrets, secretId } = this.#options;
    await secrets.send(
      new UpdateSecretVersionStageCommand({
        SecretId: secretId,
        VersionStage: 'AWSCURRENT',
        MoveToVersionId: id,
        RemoveFromVersionId: former.id,
      }),
    );
  }

  /** Retires all values but one, which the distributions send. */
  async #acceptOnly(value: string): Promise<void> {
    const { distributions, cloudFront } = this.#options;
    const sent = await sentSecrets(distributions, cloudFront);
    if (sent.some((one) => one !== value))
      throw new Error(
        'The distribution was changed at the same time, perhaps by a deployment. Both secrets are accepted: run the command again',
      );
    const { originSecrets = [], retiredOriginSecrets = [], originRevision } = await this.#state();
    const digest = originSecretDigest(value);
    const retired = [...new Set([...retiredOriginSecrets, ...originSecrets])].filter((one) => one !== digest);
    await this.#replaceState(originRevision, { accepted: [digest], retired });
  }

  #state(): Promise<StageItem> {
    return this.#options.state.read(true);
  }

  async #replaceState(revision: number | undefined, next: OriginSecretState): Promise<void> {
    if (await this.#options.state.replaceOriginSecrets(revision ?? 0, next)) return;
    throw new Error('Another rotation runs at the same time: wait until it has ended');
  }

  async #version(VersionStage: 'AWSCURRENT' | 'AWSPENDING'): Promise<SecretVersion | undefined> {
    const { secrets, secretId: SecretId } = this.#options;
    const found = await secrets.send(new GetSecretValueCommand({ SecretId, VersionStage })).catch((error: Error) => {
      if (error.name === 'ResourceNotFoundException') return undefined;
      throw error;
    });
    return found && { id: found.VersionId ?? '', value: found.SecretString ?? '' };
  }
}

/** Changes of other callers before an update gives up. */
const ROUNDS = 5;

/** AWS deploys changes within minutes. */
const DEPLOYED_WITHIN_MS = 45 * 60_000;

/** Returns the origin secrets in the configurations of distributions. */
async function sentSecrets(ids: readonly string[], cloudFront: CloudFrontClient): Promise<string[]> {
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
async function replaceHeader(Id: string, secret: string, cloudFront: CloudFrontClient): Promise<void> {
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
async function waitUntilDeployed(Id: string, cloudFront: CloudFrontClient, pollMs: number): Promise<void> {
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
