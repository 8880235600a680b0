import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import * as z from 'zod';
import { RunningSlots } from '../../access/running-slots.ts';
import type { BuildProblem } from '../../contract/builds.ts';
import { ApiError } from '../../contract/errors.ts';
import { BUILD_LIMITS } from '../../contract/limits.ts';
import { placedLine } from '../../contract/messages.ts';
import type { SlotShares } from '../../contract/slot-shares.ts';
import { CLIENT, documentClient, QUICK } from '../../platform/aws.ts';
import { CLOCKS_APART_MS } from '../../platform/clock.ts';
import { log } from '../../platform/log.ts';
import { readObject } from '../../platform/read-object.ts';
import { packContents } from '../../sites/archive.ts';
import {
  type BuildInput,
  type BuildKeys,
  type BuiltSite,
  buildKeys,
  prependHeader,
  readBuilt,
} from '../../sites/source/build.ts';
import { FunctionBusy, FunctionError, invokeForTenant, lazyInvoke, type TenantFunction } from '../tenant-function.ts';

/** How long the build function may take, and the time to start it: the API of deployments ends after 29 s. */
const INVOKE_MS = 26_500;

/** Longer than an invocation, so that no URL expires while its build runs, even if the clock of the function is behind that of S3. */
const URL_SECONDS = 60 + CLOCKS_APART_MS / 1_000;

/** How long a build waits while another one of its tenant runs: together with its own time, within the 29 s of the API. */
const PATIENCE_MS = 2_000;

const RETRY_SECONDS = 5;

const problem = z.strictObject({
  message: z.string(),
  path: z.string().exactOptional(),
  line: z.int().exactOptional(),
  column: z.int().exactOptional(),
  excerpt: z.string().exactOptional(),
});

const failure = z.strictObject({
  error: z.enum(['build_failed', 'payload_too_large', 'unavailable']),
  problems: z.array(problem).min(1).max(BUILD_LIMITS.problems),
});
type Failure = z.output<typeof failure>;

/** The result of the build function: the site is in `out`, or why there is none. */
const outcome = z.union([z.strictObject({ built: z.literal(true) }), failure]);

/** The bytes of a site with its report and the headers of its archive. */
const STORED_BYTES = BUILD_LIMITS.outputBytes + 1_048_576;

export interface BuilderOptions extends TenantFunction {
  /** Without checksums that the SDK adds by itself: the bodies of presigned requests are not known here. */
  readonly s3: S3Client;
  readonly bucket: string;
  /** The version of the function's code and configuration. */
  readonly version: string;
}

/** Returns the builder with clients of its own. */
export function createBuilder(env: {
  readonly BUILD_FUNCTION: string;
  readonly BUILD_VERSION: string;
  readonly BUILDS_BUCKET: string;
  readonly BUILD_SLOTS: SlotShares;
  readonly RATE_LIMITS_TABLE: string;
}): LambdaBuilder {
  const limits = { db: documentClient(QUICK), table: env.RATE_LIMITS_TABLE, clock: Date.now };
  return new LambdaBuilder({
    s3: new S3Client({
      ...CLIENT,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
    // A build that is repeated costs a second, and clients repeat a 503.
    invoke: lazyInvoke(INVOKE_MS),
    bucket: env.BUILDS_BUCKET,
    functionName: env.BUILD_FUNCTION,
    version: env.BUILD_VERSION,
    slots: new RunningSlots(limits, env.BUILD_SLOTS),
  });
}

/**
 * Builds in a function of its own, whose instances serve one tenant each. The function has no access to the objects of a build:
 * it gets URLs of those that it needs (docs/decisions/0051-builds-run-in-a-function-per-tenant.md).
 */
export class LambdaBuilder {
  readonly #options: BuilderOptions;

  constructor(options: BuilderOptions) {
    this.#options = options;
  }

  /** See `Builder.build`. */
  async build(tenant: string, input: BuildInput): Promise<BuiltSite> {
    const keys = buildKeys(this.#options.version, tenant, input);
    const stored = await this.#read(keys.out);
    if (stored) return readBuilt(stored);
    await this.#putInput(keys.in, input);
    // Concurrent builds of an equal input write equal bytes.
    const result = await this.#invoke(tenant, await this.#urls(keys));
    if ('error' in result) throw buildError(result.error, result.problems);
    const built = await this.#read(keys.out);
    if (!built) throw new Error('The build function wrote no site');
    return readBuilt(built);
  }

  #read(key: string): Promise<Uint8Array | undefined> {
    return readObject(this.#options.s3, this.#options.bucket, key, STORED_BYTES);
  }

  async #putInput(Key: string, { files, env, preview, chosen }: BuildInput): Promise<void> {
    const Body = prependHeader({ env, preview, chosen }, packContents(files));
    await this.#options.s3.send(new PutObjectCommand({ Bucket: this.#options.bucket, Key, Body }));
  }

  /** Returns the event of the function. A signature is made without a call of AWS. */
  async #urls(keys: BuildKeys) {
    const { s3, bucket: Bucket } = this.#options;
    const expiring = { expiresIn: URL_SECONDS };
    const get = (Key: string) => getSignedUrl(s3, new GetObjectCommand({ Bucket, Key }), expiring);
    const put = (Key: string) => getSignedUrl(s3, new PutObjectCommand({ Bucket, Key }), expiring);
    return {
      in: await get(keys.in),
      out: await put(keys.out),
      vendor: { get: await get(keys.vendor), put: await put(keys.vendor) },
    };
  }

  async #invoke(tenant: string, event: object): Promise<z.output<typeof outcome>> {
    const result = await invokeForTenant(this.#options, tenant, event, PATIENCE_MS).catch((error) => {
      if (error instanceof FunctionBusy)
        throw unavailable('Too many builds are running: retry in a few seconds', error);
      throw error instanceof FunctionError && error.isEnded ? ended(error) : error;
    });
    return outcome.parse(result);
  }
}

/** Returns the error for what the project causes, or a package registry that is unreachable. */
function buildError(code: Failure['error'], problems: readonly BuildProblem[]): ApiError {
  const [first] = problems;
  const message = first ? placedLine(first) : 'The project cannot be built';
  if (code === 'unavailable') return unavailable(message);
  return new ApiError(code, message, code === 'build_failed' ? { body: { problems } } : {});
}

/** Returns the error for an instance that had no time or memory left, which is due to the project. */
function ended({ message }: FunctionError): Error {
  log.info('build ended', { error: message });
  return buildError('build_failed', [
    { message: 'The build took too long or needed too much memory: make the project smaller' },
  ]);
}

function unavailable(message: string, cause?: unknown): ApiError {
  return new ApiError('unavailable', message, { headers: { 'Retry-After': String(RETRY_SECONDS) }, cause });
}
