import type { ProviderConfig } from '../lambda/contract/providers.ts';
import type { StageConfig } from '../lib/config.ts';

/** Returns what a deploy says first: its configuration, its providers, and who pays for them. */
export function announcement(file: string, { stage, providers, rateLimit }: StageConfig): string {
  const lines = Object.entries(providers).map(([name, config]) => `  ${name}: ${costOf(config)}`);
  const isPaid = Object.values(providers).some(({ kind }) => kind !== 'blueprint' && kind !== 'scripted');
  const { anonymous, windowSeconds } = rateLimit;
  return [
    `Deploying the stage ${stage} with ${file}; CONFIG_FILE names another configuration. Providers:`,
    ...lines,
    isPaid
      ? `A generation calls a provider once or more. Anyone can start ${anonymous} generations in ${windowSeconds} s per address ` +
        '(rateLimit.anonymous): set a spending limit with the vendor.'
      : 'No model is called, so generations cost nothing beyond AWS.',
  ].join('\n');
}

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
