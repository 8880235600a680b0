/** An action and a resource that the policy of a role allows. */
interface Grant {
  /** `GenerationAttemptRole dynamodb:GetItem table/GenerationJobs`: the role, the action, and the resource. */
  readonly text: string;
  readonly used: boolean;
}

/** The reason to keep grants that no test uses. */
interface GrantReason {
  /** Matches the text of grants. */
  readonly grant: RegExp;
  readonly reason: string;
}

interface GrantReport {
  readonly all: number;
  /** Unused grants without a reason. */
  readonly unexplained: readonly string[];
  /** Reasons that match no unused grant. */
  readonly stale: readonly GrantReason[];
}

/** Compares grants with the reasons to keep unused ones. */
export function reportOf(grants: readonly Grant[], reasons: readonly GrantReason[]): GrantReport {
  const unused = grants.filter(({ used }) => !used).map(({ text }) => text);
  const reasonOf = (text: string) => reasons.find(({ grant }) => grant.test(text));
  return {
    all: grants.length,
    unexplained: unused.filter((text) => !reasonOf(text)),
    stale: reasons.filter((reason) => !unused.some((text) => reasonOf(text) === reason)),
  };
}

/**
 * Reads the file that local clouds write: see `local/cloud/iam.ts`.
 * @param stack the stack whose roles are read; tests also start other stacks, with the same roles
 */
export function readGrants(file: string, stack: string): Grant[] {
  const grants = new Map<string, boolean>();
  for (const line of file.split('\n')) {
    const [kind, role = '', action, resource = ''] = line.split('\t');
    const [, name] = role.split(`:role/${stack}-`);
    if (name === undefined) continue;
    const text = `${withoutHash(name)} ${action} ${shortened(resource, stack)}`;
    grants.set(text, grants.get(text) === true || kind === 'used');
  }
  return [...grants].map(([text, used]) => ({ text, used })).toSorted((a, b) => (a.text < b.text ? -1 : 1));
}

/** Returns the end of an ARN: without partition, region and account, the name of the stack, and hashes of logical ids. */
function shortened(arn: string, stack: string): string {
  const [, , service = '', , , ...rest] = arn.split(':');
  const name = rest.join(':').replaceAll(`${stack}-`, '');
  return arn.startsWith('arn:') ? withoutHash(`${service}:${name}`) : arn;
}

const withoutHash = (text: string) => text.replace(/(?<!\d)[0-9a-f]{8}(?=$|[/:-])/gi, '');

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
