import type { ProviderConfig } from '../lambda/contract/providers.ts';
import type { StageConfig } from '../lib/config.ts';
import { dayCost } from '../lib/day-cost.ts';

/**
 * Returns what a deploy says first: its configuration, its providers, who pays for them, what a day can cost, and the issuer of
 * access tokens.
 */
export function announcement(file: string, config: StageConfig): string {
  const { stage, providers, generation, rateLimit, oauth, siteDomain } = config;
  const lines = Object.entries(providers).map(([name, config]) => `  ${name}: ${costOf(config)}`);
  const isPaid = Object.values(providers).some(({ kind }) => kind !== 'blueprint' && kind !== 'scripted');
  const { anonymous, windowSeconds } = rateLimit;
  const starters = generation.anonymous
    ? `Anyone can start ${anonymous} generations in ${windowSeconds} s per address (rateLimit.anonymous).`
    : 'Only callers with a key or token can start one.';
  return [
    `Deploying the stage ${stage} with ${file}; CONFIG_FILE names another configuration. Providers:`,
    ...lines,
    isPaid
      ? `A generation calls a provider once or more. ${starters} Set a spending limit with the vendor as well.`
      : 'No model is called, so generations cost nothing beyond AWS.',
    ...dayCost(config, Date.now()),
    ...(oauth === undefined ? [NO_ISSUER] : []),
    ...(siteDomain === undefined ? [SHARED_ORIGIN] : []),
  ].join('\n');
}

/** Up to version 0.9.0, every stack without another issuer had a user pool. */
const NO_ISSUER =
  'Access tokens: none are accepted, because oauth is not set. If this stack has a Cognito user pool, the deploy deletes it: ' +
  'set "oauth": "cognito" to keep it.';

const SHARED_ORIGIN =
  'Warning: anyone can publish pages, and without siteDomain all of them share the origin of the service: they can attack each other, ' +
  'and browsers and mail filters that block one of them block the service. Set siteDomain to a domain that serves nothing else.';

function costOf(config: ProviderConfig): string {
  switch (config.kind) {
    case 'blueprint':
    case 'scripted':
      return `${config.kind}, free`;
    case 'bedrock':
      return `${config.model} on Amazon Bedrock, billed per token to this AWS account`;
    default: {
      const { kind, model, apiKey, baseUrl } = config;
      const account = apiKey ? `billed per token to the key in the secret ${apiKey}` : 'without a key';
      return `${model} (${baseUrl ?? kind}), ${account}`;
    }
  }
}
