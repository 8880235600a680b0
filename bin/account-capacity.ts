import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';

/** The concurrency that Lambda allows in an account and region. */
export interface AccountCapacity {
  /** The quota: the most invocations of all functions at a time. */
  readonly quota: number;
  /** The concurrency that no other stack and no other function reserves. */
  readonly available: number;
}

/** How long a deploy waits for each call. */
const PATIENCE_MS = 5_000;

const ONCE = { maxAttempts: 1 };

/**
 * Reads the capacity for a stack, which may exist already: what it reserves is available to it.
 * @param region by default, that of the AWS profile
 * @throws Error for missing credentials or permissions, and if AWS does not respond within seconds
 */
export async function readCapacity(stackName: string, region?: string): Promise<AccountCapacity> {
  const settings = { ...ONCE, ...(region === undefined ? {} : { region }) };
  const lambda = new LambdaClient(settings);
  const cloudFormation = new CloudFormationClient(settings);
  const end = { abortSignal: AbortSignal.timeout(PATIENCE_MS) };
  try {
    const { AccountLimit } = await within(lambda.send(new GetAccountSettingsCommand({}), end));
    const { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: unreserved } = AccountLimit ?? {};
    if (quota === undefined || unreserved === undefined) throw new Error('Lambda does not name the quota');
    const template = cloudFormation.send(new GetTemplateCommand({ StackName: stackName }), end);
    const own = await within(template).then(({ TemplateBody }) => reservedIn(TemplateBody), noStack);
    // The template of a stack whose first deploy failed reserves nothing.
    return { quota, available: Math.min(quota, unreserved + own) };
  } finally {
    lambda.destroy();
    cloudFormation.destroy();
  }
}

/** Also ends the search for credentials, which the signal of a call does not. */
async function within<T>(call: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const clock = setTimeout(() => reject(new Error('AWS did not respond within 5 s')), PATIENCE_MS);
  return Promise.race([call, late]).finally(() => clearTimeout(clock));
}

/** Returns the sum of the reservations in a template of the CDK, which is empty until the first deployment of a stack began. */
export function reservedIn(template = ''): number {
  const { Resources = {} } = JSON.parse(template || '{}') as {
    Resources?: Record<string, { Properties?: { ReservedConcurrentExecutions?: number } }>;
  };
  const reserved = Object.values(Resources).map(({ Properties }) => Properties?.ReservedConcurrentExecutions ?? 0);
  return reserved.reduce((sum, one) => sum + one, 0);
}

function noStack(error: Error): number {
  if (error.name === 'ValidationError' && /does not exist/.test(error.message)) return 0;
  throw error;
}
