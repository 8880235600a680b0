import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Aws } from 'aws-cdk-lib/core';
import type { ConfigOf, ProviderConfig, ProvidersConfig } from '../../lambda/contract/providers.ts';

/** The geography that prefixes the model id in the id of an inference profile. */
const GEOGRAPHY = /^(?:us|us-gov|eu|apac|jp|au|ca|global)\.(.+)$/;

/** Returns the permissions for the configured providers: their API keys and Bedrock models. */
export function providerGrants(providers: ProvidersConfig): PolicyStatement[] {
  return Object.values(providers).flatMap((config: ProviderConfig) => {
    if (config.kind === 'bedrock') return [bedrockGrant(config)];
    return 'apiKey' in config && config.apiKey ? [secretGrant(config.apiKey)] : [];
  });
}

/** Secrets Manager adds a hyphen and six characters to a secret's name. */
function secretGrant(name: string): PolicyStatement {
  return new PolicyStatement({
    actions: ['secretsmanager:GetSecretValue'],
    resources: [`arn:${Aws.PARTITION}:secretsmanager:${Aws.REGION}:${Aws.ACCOUNT_ID}:secret:${name}-??????`],
  });
}

/**
 * Grants a model, or an inference profile such as `us.anthropic.…`, which also requires the model in every region that
 * the profile may route to (Amazon Bedrock, "Prerequisites for inference profiles").
 */
function bedrockGrant({ model, region = Aws.REGION }: ConfigOf<'bedrock'>): PolicyStatement {
  const base = GEOGRAPHY.exec(model)?.[1];
  const foundation = (where: string) =>
    `arn:${Aws.PARTITION}:bedrock:${where}::foundation-model/${base ?? model}`;
  return new PolicyStatement({
    actions: ['bedrock:InvokeModelWithResponseStream'],
    resources: base
      ? [
          `arn:${Aws.PARTITION}:bedrock:${region}:${Aws.ACCOUNT_ID}:inference-profile/${model}`,
          foundation('*'),
        ]
      : [foundation(region)],
  });
}
