export interface Finding {
  /** With the detail if the rule has several, such as `AwsSolutions-IAM5[Resource::*]`. */
  readonly rule: string;
  /** The construct without its stack, such as `Deployments/Archives`. */
  readonly at: string;
}

/** The reason to accept findings of a rule. */
interface Reason {
  /** Matches the rule with its detail, such as `AwsSolutions-IAM5[Resource::*]`. */
  readonly rule: RegExp;
  /** Matches the construct without its stack, such as `Deployments/Archives`. A new construct must be added explicitly. */
  readonly at: RegExp;
  readonly reason: string;
}

const CDK_FUNCTION = /^(Custom::CDKBucketDeployment\w+|Console\/DeploymentRole\/DefaultPolicy)$/;
const BUCKETS = /^(Deployments\/Archives|(Builds|Looks|Assets)\/Objects|Generation\/Files|Console\/Pages)$/;
const MACHINES = /^(Deployments\/(Withdrawal|Domains)|Webhooks|DeploymentLooks|Generation\/Workflow)\/StateMachine$/;
const DISTRIBUTIONS = /^FrontDoor\/(Distribution|Sites|Tenants)$/;
const USER_POOL = /^Access\/OAuth\/UserPool$/;

/**
 * The accepted findings of cdk-nag's rules "AWS Solutions". `test/scenarios/infra/security.test.ts` fails if a row matches no
 * finding.
 */
export const REASONS: readonly Reason[] = [
  // IAM
  {
    rule: /^AwsSolutions-IAM5\[Resource::<\w+\.Arn>\/(sites|staged|generations|assets|in|out|vendor|packages)\/\*(\.look)?\]$/,
    at: /Role\/DefaultPolicy$/,
    reason:
      'The keys of objects contain ids that are created at run time. The role has specific actions on one folder of one bucket',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::arn:<AWS::Partition>:states:.*:execution:.*:\*\]$/,
    at: /^Generation\/ApiRole\/DefaultPolicy$/,
    reason: 'Cancels generations: each has an execution, named at run time, of this one state machine',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::arn:<AWS::Partition>:cloudfront::<AWS::AccountId>:distribution-tenant\/\*\]$/,
    at: /^(Deployments\/(Withdrawal\/Withdraw|Domains\/Settle)|Reports\/Api)Role\/DefaultPolicy$/,
    reason:
      'CloudFront chooses the ids of tenants. Actions that change or delete a tenant require the tag of this stack',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::(\*|arn:<AWS::Partition>:acm:us-east-1:<AWS::AccountId>:certificate\/\*)\]$/,
    at: /^Deployments\/Domains\/SettleRole\/DefaultPolicy$/,
    reason:
      'The tenant and its certificate have no ARN before they are created. A condition requires the tag of this stack, or that CloudFront calls ACM',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::arn:<AWS::Partition>:bedrock:\*::foundation-model\/[^*]+\]$/,
    at: /^Generation\/AttemptRole\/DefaultPolicy$/,
    reason: 'An inference profile routes to the same model in regions that AWS chooses',
  },
  {
    rule: /^AwsSolutions-IAM5\[(Action::s3:(GetBucket|GetObject|List|Abort|DeleteObject)\*|Resource::(<ConsolePages\w+\.Arn>|arn:<AWS::Partition>:s3:::cdk-\w+-assets-.*)\/\*)\]$/,
    at: CDK_FUNCTION,
    reason:
      "The CDK's own function, which CloudFormation invokes during a deploy only. It reads the assets of the CDK, and writes the public pages of the service",
  },

  {
    rule: /^AwsSolutions-IAM5\[Resource::\*\]$/,
    at: new RegExp(`${MACHINES.source.slice(0, -1)}/Role/DefaultPolicy$`),
    reason:
      'Step Functions sets up the delivery of its log with these actions of CloudWatch Logs, which do not support resource-level permissions',
  },
  {
    // Any role of a function: `test/infra/functions.test.ts` allows "*" for the actions of X-Ray only.
    rule: /^AwsSolutions-IAM5\[Resource::\*\]$/,
    at: /Role\/DefaultPolicy$/,
    reason:
      'With `tracing`, functions send their traces to X-Ray, whose actions do not support resource-level permissions',
  },
  {
    rule: /^AwsSolutions-IAM4\[Policy::arn:<AWS::Partition>:iam::aws:policy\/service-role\/AmazonAPIGatewayPushToCloudWatchLogs\]$/,
    at: /^Api\/RestApi\/CloudWatchRole$/,
    reason: 'All APIs of the account write their logs with this role; only logs.api creates it',
  },
  {
    rule: /^AwsSolutions-IAM4\[Policy::arn:<AWS::Partition>:iam::aws:policy\/service-role\/AWSCodeDeployRoleForLambdaLimited\]$/,
    at: /^Rollout\/Role$/,
    reason:
      'Only CodeDeploy assumes it. AWS maintains the policy for this service, and does not document which resources its calls need',
  },

  // Secrets and user pools
  {
    rule: /^AwsSolutions-SMG4$/,
    at: /^(Access\/OriginSecret|Deployments\/TokenSecret)$/,
    reason:
      'Rotated with npm run rotate, in steps that CloudFront and all instances follow (decision 0048); a schedule could not wait for them',
  },
  {
    rule: /^AwsSolutions-SMG4$/,
    at: /^Deployments\/ProjectIdSecret$/,
    reason: 'Another value would change the ids, and so the URLs, of all deployments (decision 0011)',
  },
  {
    rule: /^AwsSolutions-SMG4$/,
    at: /^FrontDoor\/OwnCallSecret$/,
    reason:
      'It exempts visits of public pages from rate rules and grants no access. The web ACL has the value from the template, so a deploy would overwrite a rotated one',
  },
  {
    rule: /^AwsSolutions-COG[128]$/,
    at: USER_POOL,
    reason: 'The pool has no users, sign-up or passwords: its only client uses the client credentials grant',
  },

  // Logs and traces
  {
    rule: /^AwsSolutions-S1$/,
    at: BUCKETS,
    reason:
      'Server access logs contain query strings, including the signatures of presigned URLs. Only roles of the stack and CloudFront have access, and a function logs each of their requests; CloudTrail data events can record the objects',
  },
  {
    rule: /^AwsSolutions-SF1$/,
    at: MACHINES,
    reason:
      'Errors are logged. Step Functions keeps all events of an execution for 90 days; logging them as well would cost more than the executions',
  },
  {
    rule: /^AwsSolutions-SF2$/,
    at: MACHINES,
    reason: 'Executions can be found by the id of their generation or deployment, which all log lines contain',
  },
  {
    rule: /^AwsSolutions-CFR3$/,
    at: DISTRIBUTIONS,
    reason:
      'Standard logging v2 is a separate resource, which the rule does not recognize. The property of the distribution would log query strings, and needs a bucket with ACLs',
  },
  {
    rule: /^AwsSolutions-APIG1$/,
    at: /^Api\/RestApi\/DeploymentStage\.api$/,
    reason:
      'Access logs need a role of the whole account and region, so they are opt-in (logs.api). The functions log every request',
  },
  {
    rule: /^AwsSolutions-APIG6$/,
    at: /^Api\/RestApi\/DeploymentStage\.api$/,
    reason: 'Execution logs contain headers and bodies, including credentials and prompts',
  },

  // Entry points
  {
    rule: /^AwsSolutions-APIG2$/,
    at: /^Api\/RestApi$/,
    reason: 'The functions validate every query and body against a schema, with more specific errors',
  },
  {
    rule: /^AwsSolutions-(APIG4|COG4)$/,
    at: /^Api\/RestApi\/Default\/.*(ANY|OPTIONS|POST)$/,
    reason:
      'Callers may be anonymous. The functions reject requests that did not come through CloudFront, and check API keys and access tokens (lambda/http/pipeline.ts); large bodies have an authorizer',
  },
  {
    rule: /^AwsSolutions-APIG3$/,
    at: /^Api\/RestApi\/DeploymentStage\.api$/,
    reason: 'The functions reject requests that did not come through the distributions, which can have a web ACL',
  },
  {
    rule: /^AwsSolutions-CFR1$/,
    at: DISTRIBUTIONS,
    reason: 'Pages are for visitors from every country',
  },
  {
    rule: /^AwsSolutions-CFR2$/,
    at: DISTRIBUTIONS,
    reason:
      'A web ACL costs $9 a month or more, and is opt-in (waf, webAclArn). Without it, the functions limit callers and addresses',
  },
  {
    rule: /^AwsSolutions-CFR4$/,
    at: /^FrontDoor\/(Distribution|Sites)$/,
    reason:
      "With CloudFront's own domain name, CloudFront sets the minimum version of TLS. With domainName it is TLS 1.2",
  },
  {
    rule: /^AwsSolutions-CFR4$/,
    at: /^FrontDoor\/Tenants$/,
    reason:
      'A distribution for tenants has no ViewerCertificate in which to set it: CloudFront decides for the certificates of tenants',
  },
  {
    rule: /^AwsSolutions-L1$/,
    at: CDK_FUNCTION,
    reason: "The CDK's own function: its runtime is updated with aws-cdk-lib",
  },
];

/** Returns the reason to accept a finding, or undefined. */
export function reasonFor({ rule, at }: Finding): Reason | undefined {
  return REASONS.find((reason) => reason.rule.test(rule) && reason.at.test(at));
}
