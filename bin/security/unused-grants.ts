import type { GrantReason } from './grants.ts';

/** Grants that no test uses in the local cloud, with the reasons to keep them. */
export const UNUSED_GRANTS: readonly GrantReason[] = [
  {
    grant: / logs:(CreateLogStream|PutLogEvents) /,
    reason: 'Lambda writes the log of a function with its role; the local cloud prints it',
  },
  {
    grant: /StateMachin\S* logs:\w+ \*$/,
    reason:
      'Step Functions sets up the delivery of its log with the role of the state machine; the local cloud has no such log',
  },
  {
    grant: /^ConsoleDeploymentRole s3:/,
    reason: "The CDK's own function copies the pages of the service; the local cloud copies them itself",
  },
  {
    grant: /^RolloutRole (cloudwatch:DescribeAlarms|lambda:(Get|Update)Alias) \*$/,
    reason: 'CodeDeploy moves the aliases with its role; the local cloud moves them itself',
  },
  {
    grant: /^GenerationAttemptRole bedrock:/,
    reason: 'The local cloud has no models: the SDK calls a server of the test',
  },
  {
    grant: /^GenerationSettleRole s3:(Get|Put)Object s3:generationfiles/,
    reason:
      'Reverts the files of a repair whose function died before the repair was judged (drop-unjudged.ts); no test kills it there',
  },
  {
    grant:
      /^DeploymentsGeneratedRole (s3:DeleteObject s3:deploymentsarchives|states:StartExecution states:stateMachine:DeploymentsWithdrawal)/,
    reason:
      'A generation may redeploy a page, which drops its oldest version and, if the gate holds the page, its copies. The tests of deploys by the API use the same code',
  },
  {
    grant: /^DeploymentsGeneratedRole s3:PutObject s3:buildsobjects\/vendor/,
    reason:
      'The check of the attempt has already stored the packages. Only if they have expired, the build of the deploy stores them again',
  },
  {
    grant:
      /^(DeploymentsSweepFunctionRole states:StartExecution states:stateMachine:DeploymentsDomains|DeploymentsDomainsSettleRole cloudfront:VerifyDnsConfiguration)/,
    reason:
      'Tells wrong records of a domain that is not issued yet, before which a fast local cloud has often issued it. Removes the domains of a page that expires (sweep.ts); the tests delete such pages with the same code',
  },
  {
    grant:
      /^(DeploymentLooksLookDeployment|DeploymentsGenerated|GenerationAttempt)Role dynamodb:GetItem dynamodb:table\/AccessRateLimits/,
    reason:
      'Frees the slots of functions that died, when no slot for a build or a look is free. The tests fill them by the API, which has the same code',
  },
];
