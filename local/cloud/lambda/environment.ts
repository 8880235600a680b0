import type { EventLoopUtilization } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';
import type { ErrorPayload, FromWorker, InvokeMessage, ToWorker, WorkerData } from './worker.ts';

/** The only version of a function, with the code of the template. */
export const ONLY_VERSION = '1';

/** A function as the template defines it. */
export interface FunctionConfig {
  /** The name in log lines. */
  readonly name: string;
  readonly arn: string;
  readonly roleArn: string;
  readonly runtime: string;
  readonly codeDir: string;
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  /** The most invocations at a time; undefined if the function has no reservation. */
  readonly reservedConcurrency?: number | undefined;
  /** True if each environment serves the invocations of one tenant only (`TenancyConfig`). */
  readonly perTenant?: boolean;
  /** Port of the front door, through which the function reaches the APIs of API Gateway. */
  readonly frontDoorPort?: number;
  /** The folder of the DNS records that the function can resolve. */
  readonly dnsFolder?: string | undefined;
  /** The qualifiers of the function: its version and its aliases. */
  readonly qualifiers?: readonly string[] | undefined;
  /** All environment variables of the handler. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface Invocation {
  /** JSON. */
  readonly event: string;
  readonly requestId: string;
  /** The ARN that the caller used, with its qualifier; by default the function's. */
  readonly functionArn?: string;
  /** Only of a function whose environments serve one tenant each. */
  readonly tenantId?: string | undefined;
}

/** The function threw, timed out, or its environment died. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
  readonly payload: ErrorPayload;

  constructor(payload: ErrorPayload) {
    super(`${payload.errorType}: ${payload.errorMessage}`);
    this.payload = payload;
  }
}

/** All concurrency of the function or of the account is in use (HTTP 429). */
export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequestsException';
  /** The `Reason` in the response of Lambda's API. */
  readonly reason: string;

  constructor(reason: string) {
    super('Rate Exceeded.');
    this.reason = reason;
  }
}

/** The error of an invocation whose environment was killed. */
export const KILLED: ErrorPayload = {
  errorType: 'Runtime.ExitError',
  errorMessage: 'Runtime exited with error: signal: killed',
};

/** Receives the chunks of a response. The next chunk follows when the promise resolves. */
export type Sink = (chunk: Buffer) => Promise<void>;

/** The init phase may take this time and the function's timeout, as on Lambda. */
const INIT_SECONDS = 10;

/** V8's default is 48 MB per environment; a smaller limit costs functions hardly any time. */
const YOUNG_GENERATION_MB = 4;

/** A worker thread with a loaded function, which runs one invocation at a time. */
export class Environment {
  /** Resolves once the handler is loaded. */
  readonly ready: Promise<void>;
  private readonly worker: Worker;
  private readonly config: FunctionConfig;
  private listener: (message: FromWorker) => void = () => undefined;
  private onDeath: (error: FunctionError) => void = () => undefined;
  private dead: FunctionError | undefined;
  private measured: EventLoopUtilization | undefined;

  constructor(config: FunctionConfig, log: (line: string) => void) {
    this.config = config;
    const { codeDir, handler, frontDoorPort, dnsFolder } = config;
    const { NODE_COMPILE_CACHE: compileCache } = process.env;
    const workerData: WorkerData = {
      codeDir,
      handler,
      ...(frontDoorPort === undefined ? {} : { frontDoorPort }),
      ...(dnsFolder === undefined ? {} : { dnsFolder }),
      ...(compileCache === undefined ? {} : { compileCache }),
    };
    this.worker = new Worker(workerUrl(), {
      workerData,
      env: { ...config.environment },
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: config.memoryMb,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
    });
    for (const output of [this.worker.stdout, this.worker.stderr]) forwardLines(output, log);
    this.worker.on('message', (message: FromWorker) => this.listener(message));
    this.worker.on('error', (error) => {
      log(String(error.stack ?? error));
      this.die('Runtime.ExitError', `Runtime exited with error: ${error.message}`);
    });
    this.worker.on('exit', (code) => this.die('Runtime.ExitError', `Runtime exited with error: exit status ${code}`));
    this.ready = this.initialize();
  }

  get alive(): boolean {
    return this.dead === undefined;
  }

  /** Returns the busy fraction of the time since the last call, 0 to 1; 1 while the handler loads. */
  utilization(): number {
    const before = this.measured;
    if (before === undefined) return 1;
    const { eventLoopUtilization } = this.worker.performance;
    this.measured = eventLoopUtilization();
    return eventLoopUtilization(this.measured, before).utilization;
  }

  /** Runs the handler, with its output to `sink`. A timeout terminates the environment. @throws FunctionError */
  async run({ event, requestId, tenantId, functionArn }: Invocation, sink: Sink): Promise<void> {
    const { timeoutSeconds, arn } = this.config;
    const message: InvokeMessage = {
      type: 'invoke',
      requestId,
      functionArn: functionArn ?? arn,
      event,
      ...(tenantId !== undefined && { tenantId }),
      timeoutMs: timeoutSeconds * 1000,
    };
    const clock = setTimeout(() => {
      const seconds = timeoutSeconds.toFixed(2);
      this.die('Sandbox.Timedout', `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`);
      void this.terminate();
    }, timeoutSeconds * 1000);
    try {
      await this.conversation((reply, resolve, reject) => {
        if (reply.type === 'done') resolve();
        if (reply.type === 'error') reject(new FunctionError(reply.error));
        if (reply.type === 'chunk') {
          sink(Buffer.from(reply.data)).then(() => this.send({ type: 'ack' }), reject);
        }
      }, message);
    } finally {
      clearTimeout(clock);
    }
  }

  /** Terminates the environment as if it was killed: its invocation fails immediately. */
  async crash(): Promise<void> {
    this.die(KILLED.errorType, KILLED.errorMessage);
    await this.terminate();
  }

  async terminate(): Promise<void> {
    await this.worker.terminate();
  }

  private async initialize(): Promise<void> {
    const seconds = INIT_SECONDS + this.config.timeoutSeconds;
    const clock = setTimeout(() => {
      this.die('Sandbox.Timedout', `Init phase timed out after ${seconds} seconds`);
      void this.terminate();
    }, seconds * 1000);
    try {
      await this.conversation((reply, resolve, reject) => {
        if (reply.type === 'ready') {
          this.measured = this.worker.performance.eventLoopUtilization();
          resolve();
        }
        if (reply.type === 'initError') reject(new FunctionError(reply.error));
      });
    } catch (error) {
      this.die('Runtime.ExitError', 'the initialization of the function failed');
      void this.terminate();
      throw error;
    } finally {
      clearTimeout(clock);
    }
  }

  /** Sends a message and handles replies until one settles the promise, or the worker dies. */
  private conversation(
    onReply: (reply: FromWorker, resolve: () => void, reject: (error: unknown) => void) => void,
    message?: ToWorker,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.dead !== undefined) {
        reject(this.dead);
        return;
      }
      this.onDeath = reject;
      this.listener = (reply) => onReply(reply, resolve, reject);
      if (message !== undefined) this.send(message);
    });
  }

  private send(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private die(errorType: string, errorMessage: string): void {
    if (this.dead !== undefined) return;
    this.dead = new FunctionError({ errorType, errorMessage });
    this.onDeath(this.dead);
  }
}

function forwardLines(output: Readable, log: (line: string) => void): void {
  createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY }).on('line', log);
}

let url: URL | undefined;

/**
 * Returns the URL of `worker.ts` as JavaScript, compiled once. Otherwise Node would load its TypeScript compiler in
 * every worker thread, which costs some 40 ms of processor time and 10 MB each.
 */
function workerUrl(): URL {
  url ??= compile();
  return url;
}

function compile(): URL {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('./worker.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    // The name in stack traces, instead of the whole URL.
    footer: { js: '//# sourceURL=local/cloud/lambda/worker.ts' },
  });
  return new URL(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
}
