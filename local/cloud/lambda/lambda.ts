import { randomUUID } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import type { PolicyStatement } from '../account.ts';
import { functionMetric, Metrics, versionMetrics } from '../cloudwatch/metrics.ts';
import { authorize } from '../iam.ts';
import type { Credentials } from '../roles.ts';
import { type FunctionConfig, FunctionError, ONLY_VERSION, TooManyRequests } from './environment.ts';
import { Admission, Pool } from './pool.ts';

/** Lambda's quota for a synchronous event and for a buffered response, in bytes. */
const PAYLOAD_LIMIT = 6_291_456;

/** The event exceeds Lambda's quota (HTTP 413). */
export class RequestTooLarge extends Error {
  override readonly name = 'RequestTooLargeException';
}

/** A tenant is missing, or was given to a function without tenants (HTTP 400). */
export class InvalidParameterValue extends Error {
  override readonly name = 'InvalidParameterValueException';
}

/** The caller of a function, with the required permissions. */
export interface Caller {
  readonly credentials: Pick<Credentials, 'principal'>;
  /**
   * `lambda:InvokeFunction` or `lambda:InvokeFunctionUrl`, with the condition keys of the request; all must be allowed.
   */
  readonly actions: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Aborted when the client behind the caller disconnects. The function still runs. */
  readonly clientGone?: AbortSignal | undefined;
  /** Required by functions whose environments serve one tenant each, and by no other. */
  readonly tenantId?: string | undefined;
}

/** A function with the statements of its resource policies, including those of its aliases. */
export interface FunctionDefinition extends FunctionConfig {
  readonly policy: readonly PolicyStatement[];
}

interface DeployedFunction {
  readonly definition: FunctionDefinition;
  /** Its environments by tenant; of a function without tenants, all of them. */
  readonly pools: Map<string | undefined, Pool>;
}

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-Service-Quota-Integration.html */
const CONCURRENCY = {
  namespace: 'AWS/Usage',
  name: 'ResourceCount',
  dimensions: { Type: 'Resource', Service: 'Lambda', Resource: 'ConcurrentExecutions', Class: 'None' },
};

/** The Lambda service: runs the functions of the template. */
export class Lambda {
  private readonly functions = new Map<string, DeployedFunction>();
  private readonly concurrency: AccountConcurrency;
  private readonly admission = new Admission();
  private readonly metrics: Metrics;
  private readonly throttled = new Set<FunctionDefinition>();
  private running = 0;
  private readonly log: (functionName: string, line: string) => void;

  /** @param quota the most invocations of all functions at a time */
  constructor(
    definitions: readonly FunctionDefinition[],
    log: (functionName: string, line: string) => void,
    quota = QUOTA,
    metrics = new Metrics(),
  ) {
    this.metrics = metrics;
    this.concurrency = new AccountConcurrency(definitions, quota);
    this.log = log;
    for (const definition of definitions) {
      const deployed = { definition, pools: new Map() };
      this.functions.set(definition.arn, deployed);
      for (const qualifier of definition.qualifiers ?? [])
        this.functions.set(`${definition.arn}:${qualifier}`, deployed);
    }
  }

  /** Returns the ARN of a function by its name or ARN, with or without a qualifier; undefined if it does not exist. */
  arnOf(nameOrArn: string): string | undefined {
    return [...this.functions.keys()].find(
      (arn) => arn === nameOrArn || arn.split(':').slice(6).join(':') === nameOrArn,
    );
  }

  /** Returns the name of a function for log lines. */
  nameOf(arn: string): string {
    return this.find(arn).definition.name;
  }

  /**
   * Lambda's Invoke, `RequestResponse`: returns the complete response, at most 6 MB.
   * @throws AccessDenied, InvalidParameterValue, RequestTooLarge, TooManyRequests, FunctionError
   */
  async invoke(arn: string, event: unknown, caller: Caller): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    await this.run(arn, event, caller, async (chunk) => {
      size += chunk.length;
      if (size <= PAYLOAD_LIMIT) chunks.push(chunk);
    });
    if (size > PAYLOAD_LIMIT) {
      throw new FunctionError({
        errorType: 'Function.ResponseSizeTooLarge',
        errorMessage: `Response payload size (${size} bytes) exceeded maximum allowed payload size (${PAYLOAD_LIMIT} bytes).`,
      });
    }
    return Buffer.concat(chunks);
  }

  /**
   * Lambda's InvokeWithResponseStream: returns the response as a stream, which fails with the errors of `invoke`.
   * The function continues when the stream is destroyed.
   */
  invokeWithResponseStream(arn: string, event: unknown, caller: Caller): Readable {
    const stream = new PassThrough();
    this.run(arn, event, caller, async (chunk) => {
      if (chunk.length === 0) stream.end();
      if (stream.destroyed || stream.writableEnded || stream.write(chunk)) return;
      await new Promise<void>((resolve) => {
        stream.once('drain', resolve).once('close', resolve);
      });
    }).then(
      () => stream.end(),
      // Errors after the end of the response are only logged.
      (error: Error) => stream.writableEnded || stream.destroy(error),
    );
    return stream;
  }

  /** Kills every environment of the function whose name contains `functionName`. @returns how many there were */
  async crash(functionName: string): Promise<number> {
    const { pools } = this.named(functionName);
    const crashed = await Promise.all([...pools.values()].map((pool) => pool.crash()));
    return crashed.reduce((sum, count) => sum + count, 0);
  }

  /**
   * Refuses invocations of the function whose name contains `functionName`, as with no concurrency, until the result is
   * called.
   */
  throttle(functionName: string): () => void {
    const { definition } = this.named(functionName);
    this.throttled.add(definition);
    return () => this.throttled.delete(definition);
  }

  /** Returns the environment variables of the function whose name contains `functionName`. */
  environmentOf(functionName: string): Readonly<Record<string, string>> {
    return this.named(functionName).definition.environment;
  }

  private named(functionName: string): DeployedFunction {
    const found = [...new Set(this.functions.values())].filter(({ definition }) =>
      definition.name.includes(functionName),
    );
    const [only, ...others] = found;
    if (only === undefined || others.length > 0)
      throw new Error(`${functionName} is part of the names of ${found.length} functions`);
    return only;
  }

  async close(): Promise<void> {
    const pools = [...this.functions.values()].flatMap((each) => [...each.pools.values()]);
    await Promise.all(pools.map((pool) => pool.close()));
  }

  private async run(
    arn: string,
    event: unknown,
    caller: Caller,
    sink: (chunk: Buffer) => Promise<void>,
  ): Promise<void> {
    const { definition, pools } = this.find(arn);
    const { tenantId } = caller;
    const { principal } = caller.credentials;
    for (const [action, context] of Object.entries(caller.actions)) {
      authorize({ principal, action, resource: arn, context }, definition.policy);
    }
    if (definition.runtime !== 'nodejs24.x') {
      throw new Error(`The local cloud does not support ${definition.runtime}, the runtime of ${definition.name}`);
    }
    const payload = JSON.stringify(event);
    if (Buffer.byteLength(payload) > PAYLOAD_LIMIT) {
      throw new RequestTooLarge(`Request must be smaller than ${PAYLOAD_LIMIT} bytes for the InvokeFunction operation`);
    }
    if (definition.perTenant ? tenantId === undefined : tenantId !== undefined) {
      throw new InvalidParameterValue(
        'Tenant ID configuration not specified or passed to a function when tenant isolation is not enabled.',
      );
    }
    // An invocation that waits for a processor here would run on Lambda.
    const leave = this.enter(definition);
    const pool = pools.get(tenantId) ?? this.addPool(definition, pools, tenantId);
    const invocation = { event: payload, requestId: randomUUID(), tenantId, functionArn: arn };
    try {
      await pool.run(invocation, sink, caller.clientGone);
    } catch (error) {
      for (const metric of versionMetrics('Errors', arn, ONLY_VERSION)) this.metrics.put(metric, 1);
      throw error;
    } finally {
      leave();
    }
  }

  /**
   * Counts an invocation of a function until the returned function is called, and emits its metrics.
   * @throws TooManyRequests
   */
  private enter(definition: FunctionDefinition): () => void {
    try {
      if (this.throttled.has(definition))
        throw new TooManyRequests('ReservedFunctionConcurrentInvocationLimitExceeded');
      const leave = this.concurrency.enter(definition);
      this.running += 1;
      this.metrics.put(CONCURRENCY, this.running);
      return () => {
        this.running -= 1;
        leave();
      };
    } catch (error) {
      this.metrics.put(functionMetric('Throttles', definition.arn), 1);
      throw error;
    }
  }

  private addPool(definition: FunctionDefinition, pools: DeployedFunction['pools'], tenantId?: string): Pool {
    const pool = new Pool(definition, this.admission, (line) => this.log(definition.name, line));
    pools.set(tenantId, pool);
    return pool;
  }

  private find(arn: string): DeployedFunction {
    const found = this.functions.get(arn);
    if (found === undefined) throw new Error(`${arn} is not a function of the template`);
    return found;
  }
}

/** The quota of a usual account. */
export const QUOTA = 1_000;

/** The concurrency that Lambda keeps for functions without a reservation. */
const UNRESERVED_MINIMUM = 100;

type Concurrent = Pick<FunctionConfig, 'arn' | 'reservedConcurrency'>;

/**
 * The concurrency of an account. A function with a reservation has that share, and no more; all others share what is
 * left.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
class AccountConcurrency {
  /** Free invocations, by the function that reserved them. */
  private readonly reserved: Map<string, number>;
  private unreserved: number;

  /** @throws Error if the reservations leave too little of the quota, as in a deploy */
  constructor(functions: readonly Concurrent[], quota: number) {
    this.reserved = new Map(
      functions.flatMap(({ arn, reservedConcurrency: share }) => (share === undefined ? [] : [[arn, share]])),
    );
    this.unreserved = [...this.reserved.values()].reduce((left, share) => left - share, quota);
    if (this.reserved.size > 0 && this.unreserved < UNRESERVED_MINIMUM)
      throw new Error(
        `The reserved concurrency of the functions leaves ${this.unreserved} of ${quota}: ` +
          `Lambda keeps ${UNRESERVED_MINIMUM} for functions without a reservation`,
      );
  }

  /** Takes an invocation of a function, until the returned function is called. @throws TooManyRequests */
  enter({ arn }: Concurrent): () => void {
    const share = this.reserved.get(arn);
    if (share === undefined) return this.enterUnreserved();
    if (share < 1) throw new TooManyRequests('ReservedFunctionConcurrentInvocationLimitExceeded');
    this.reserved.set(arn, share - 1);
    return () => this.reserved.set(arn, (this.reserved.get(arn) ?? 0) + 1);
  }

  private enterUnreserved(): () => void {
    if (this.unreserved < 1) throw new TooManyRequests('ConcurrentInvocationLimitExceeded');
    this.unreserved -= 1;
    return () => {
      this.unreserved += 1;
    };
  }
}
