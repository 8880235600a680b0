import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { RunningSlots } from '../access/running-slots.ts';
import { loggedIds } from '../platform/log.ts';
import type { Invoke } from './lambda-invoke.ts';

/** A function whose instances serve one tenant each. */
export interface TenantFunction {
  readonly invoke: Invoke;
  /** Name or ARN. */
  readonly functionName: string;
  /** Bounds what a tenant runs at the same time. By default, only the function's concurrency does. */
  readonly slots?: Pick<RunningSlots, 'take'> | undefined;
  /** How long an invocation waits while no slot or no concurrency is free. */
  readonly patienceMs?: number | undefined;
}

/** Returns what invokes a function, as `invokeWithin` does. The client of Lambda is loaded then: most deploys build nothing. */
export function lazyInvoke(milliseconds: number): Invoke {
  let loading: Promise<Invoke> | undefined;
  return async (input) => {
    loading ??= import('./lambda-invoke.ts').then(({ invokeWithin }) => invokeWithin(milliseconds));
    return (await loading)(input);
  };
}

/** The payload of an invocation that failed. https://docs.aws.amazon.com/lambda/latest/dg/nodejs-exceptions.html */
const functionError = z.object({ errorType: z.string().optional(), errorMessage: z.string().default('') });

/** The messages of Lambda for a timeout, and for an instance that was killed. */
const ENDED = /Task timed out|Runtime exited/;

/** An invocation that failed. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
  /** Whether Lambda ended the instance, which had no time or memory left. */
  readonly isEnded: boolean;

  constructor({ errorType, errorMessage }: z.output<typeof functionError>) {
    super(`The function failed: ${errorType}: ${errorMessage}`);
    this.isEnded = ENDED.test(errorMessage);
  }
}

/** The tenant runs as many invocations as it may, or all concurrency of the function is in use. */
export class FunctionBusy extends Error {
  override readonly name = 'FunctionBusy';
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Invokes a function for a tenant, again while it is busy, and returns its parsed result. The function's log lines get the
 * same ids as ours.
 * @param tenant as `Builder.build` has it; Lambda gets a hash of it
 * @param patienceMs how long it waits, unless the function says it
 * @throws FunctionBusy, FunctionError if the invocation failed, and the errors of Lambda
 */
export async function invokeForTenant(
  fn: TenantFunction,
  tenant: string,
  event: object,
  patienceMs: number,
): Promise<unknown> {
  const until = performance.now() + (fn.patienceMs ?? patienceMs);
  for (let most = FIRST_PAUSE_MS; ; most = Math.min(2 * most, LONGEST_PAUSE_MS)) {
    try {
      return await invokeOnce(fn, tenant, event);
    } catch (error) {
      if (!(error instanceof FunctionBusy)) throw error;
      const pause = most * (0.5 + Math.random() / 2);
      if (performance.now() + pause > until) throw error;
      await sleep(pause);
    }
  }
}

/** @throws FunctionBusy, and the errors of `invokeForTenant` */
async function invokeOnce(
  { invoke: call, functionName: FunctionName, slots }: TenantFunction,
  tenant: string,
  event: object,
): Promise<unknown> {
  const shared = sharedTenant(tenant);
  const TenantId = tenantId(shared);
  const free = slots && (await slots.take({ name: TenantId, isAnonymous: isShared(shared) }));
  if (slots && !free) throw new FunctionBusy('The tenant runs as many invocations as it may');
  try {
    const Payload = Buffer.from(JSON.stringify({ ...event, about: loggedIds() }));
    const invoke = () => call({ FunctionName, TenantId, Payload });
    const response = await invoke().catch((error: unknown) => {
      if (isRefusedForItsTime(error)) return invoke();
      if ((error as Error).name !== 'TooManyRequestsException') throw error;
      throw new FunctionBusy('All concurrency of the function is in use', { cause: error });
    });
    const payload: unknown = JSON.parse(Buffer.from(response.Payload ?? []).toString() || 'null');
    if (response.FunctionError !== undefined) throw new FunctionError(functionError.parse(payload));
    return payload;
  } finally {
    await free?.();
  }
}

/**
 * Reports if Lambda refused a request because our clock is wrong. The function has not run. The client knows the difference now, but
 * makes one attempt only.
 */
function isRefusedForItsTime(error: unknown): boolean {
  const { name, $metadata } = error as Error & { $metadata?: { readonly clockSkewCorrected?: boolean } };
  return name === 'InvalidSignatureException' && $metadata?.clockSkewCorrected === true;
}

/**
 * The tenants of all callers without a credential. Lambda keeps 2.5 instances for each that may run at the same time, idle
 * ones included: with a tenant for each address, 50 addresses would leave no browser to keys.
 */
const SHARED_TENANTS = 10;
const SHARED = 'anonymous:';

/**
 * Returns the tenant whose instances serve a caller: a key or token has its own, and all others share a fixed number by a hash
 * of their network. What they build and look at is public, or a page that its visitors may share.
 * @param tenant the id of a caller, or another text that stands for one without a credential
 */
export function sharedTenant(tenant: string): string {
  if (/^(?:key|token):/.test(tenant) || isShared(tenant)) return tenant;
  return SHARED + (Number.parseInt(hash('sha256', tenant).slice(0, 8), 16) % SHARED_TENANTS);
}

const isShared = (tenant: string): boolean => tenant.startsWith(SHARED);

/** Returns the id of a tenant for Lambda, which logs it. */
export function tenantId(tenant: string): string {
  return hash('sha256', tenant).slice(0, 32);
}
