import type { StageConfig } from '../lib/config.ts';

/** Returns the name of a stage's stack. */
export function stackNameOf({ stage }: Pick<StageConfig, 'stage'>): string {
  return `prompt-to-project-${stage}`;
}

/** Returns the region of a deploy if the environment names one; otherwise the profile does. */
export function regionOf(env: NodeJS.ProcessEnv): string | undefined {
  return env.CDK_DEFAULT_REGION ?? env.AWS_REGION ?? env.AWS_DEFAULT_REGION;
}

/**
 * The types of resources whose content a template cannot recreate: data, and addresses that users, DNS records and programs keep.
 * Log groups and state machines are not among them: releases rename functions, and what these hold ends by itself.
 */
export const STATEFUL = [
  'AWS::DynamoDB::GlobalTable',
  'AWS::S3::Bucket',
  'AWS::SecretsManager::Secret',
  'AWS::Cognito::UserPool',
  'AWS::Cognito::UserPoolClient',
  'AWS::Cognito::UserPoolDomain',
  'AWS::CloudFront::Distribution',
  'AWS::CloudFront::ConnectionGroup',
  'AWS::ApiGateway::RestApi',
  'AWS::SNS::Topic',
];

/**
 * Makes CloudFormation refuse each update that would replace or delete such a resource, from any client. A policy denies every
 * action that it does not allow, and its Deny wins over its Allow. It can be replaced, but not removed.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/protect-stack-resources.html
 */
export const STACK_POLICY = {
  Statement: [
    { Effect: 'Allow', Action: 'Update:*', Principal: '*', Resource: '*' },
    {
      Effect: 'Deny',
      Action: ['Update:Replace', 'Update:Delete'],
      Principal: '*',
      Resource: '*',
      Condition: { StringEquals: { ResourceType: STATEFUL } },
    },
  ],
};
