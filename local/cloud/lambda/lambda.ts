import { randomUUID } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import type { PolicyStatement } from '../account.ts';
import { authorize } from '../iam.ts';
import type { Credentials } from '../roles.ts';
import { AccountConcurrency, QUOTA } from './account-concurrency.ts';
import { Admission } from './admission.ts';
import { type FunctionConfig, FunctionError } from './environment.ts';
import { Pool } from './pool.ts';

/** Lambda's quota for a synchronous event and for a buffered response, in bytes. */
const PAYLOAD_LIMIT = 6_291_456;

/** The event exceeds Lambda's quota (HTTP 413). */
export class RequestTooLarge extends Error {
  override readonly name = 'RequestTooLargeException';
}

/** The caller of a function, with the required permissions. */
export interface Caller {
  readonly credentials: Credentials;
  /** `lambda:InvokeFunction` or `lambda:InvokeFunctionUrl`, with the condition keys of the request; all must be allowed. */
  readonly actions: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Aborted when the client behind the caller disconnects. The function still runs. */
  readonly clientGone?: AbortSignal | undefined;
}

/** A function with its resource policy. */
export interface FunctionDefinition extends FunctionConfig {
  readonly policy: readonly PolicyStatement[];
}

/** The Lambda service: runs the functions of the template. */
export class Lambda {
  private readonly functions = new Map<string, { definition: FunctionDefinition; pool: Pool }>();

  private readonly concurrency: AccountConcurrency;

  /** @param quota the most invocations of all functions at a time */
  constructor(
    definitions: readonly FunctionDefinition[],
    log: (functionName: string, line: string) => void,
    quota = QUOTA,
  ) {
    this.concurrency = new AccountConcurrency(definitions, quota);
    const admission = new Admission();
    for (const definition of definitions) {
      const pool = new Pool(definition, admission, (line) => log(definition.name, line));
      this.functions.set(definition.arn, { definition, pool });
    }
  }

  /** Returns the name of a function for log lines. */
  nameOf(arn: string): string {
    return this.find(arn).definition.name;
  }

  /**
   * Lambda's Invoke, `RequestResponse`: returns the complete response, at most 6 MB.
   * @throws AccessDenied, RequestTooLarge, TooManyRequests, FunctionError
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

  /** Kills every environment of the function whose name contains `functionName`. */
  async crash(functionName: string): Promise<void> {
    const found = [...this.functions.values()].filter(({ definition }) =>
      definition.name.includes(functionName),
    );
    const [only, ...others] = found;
    if (only === undefined || others.length > 0)
      throw new Error(`${functionName} is part of the names of ${found.length} functions`);
    await only.pool.crash();
  }

  async close(): Promise<void> {
    await Promise.all([...this.functions.values()].map(({ pool }) => pool.close()));
  }

  private async run(
    arn: string,
    event: unknown,
    caller: Caller,
    sink: (chunk: Buffer) => Promise<void>,
  ): Promise<void> {
    const { definition, pool } = this.find(arn);
    const { principal } = caller.credentials;
    for (const [action, context] of Object.entries(caller.actions)) {
      authorize({ principal, action, resource: arn, context }, definition.policy);
    }
    if (definition.runtime !== 'nodejs24.x') {
      throw new Error(
        `The local cloud does not support ${definition.runtime}, the runtime of ${definition.name}`,
      );
    }
    const payload = JSON.stringify(event);
    if (Buffer.byteLength(payload) > PAYLOAD_LIMIT) {
      throw new RequestTooLarge(
        `Request must be smaller than ${PAYLOAD_LIMIT} bytes for the InvokeFunction operation`,
      );
    }
    // An invocation that waits for a processor here would run on Lambda.
    const leave = this.concurrency.enter(definition);
    await pool.run(payload, randomUUID(), sink, caller.clientGone).finally(leave);
  }

  private find(arn: string): { definition: FunctionDefinition; pool: Pool } {
    const found = this.functions.get(arn);
    if (found === undefined) throw new Error(`${arn} is not a function of the template`);
    return found;
  }
}
