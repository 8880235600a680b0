import { hash } from 'node:crypto';
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { loggedIds } from '../platform/log.ts';

/** A function whose instances serve one tenant each. */
export interface TenantFunction {
  readonly lambda: LambdaClient;
  /** Name or ARN. */
  readonly functionName: string;
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

/**
 * Invokes a function for a tenant, and returns its parsed result. The function's log lines get the same ids as ours.
 * @param tenant id of a caller; Lambda gets a hash of it
 * @throws FunctionError if the invocation failed, and the errors of Lambda: `TooManyRequestsException` while all concurrency is in
 *   use
 */
export async function invokeForTenant(
  { lambda, functionName: FunctionName }: TenantFunction,
  tenant: string,
  event: object,
): Promise<unknown> {
  const Payload = Buffer.from(JSON.stringify({ ...event, about: loggedIds() }));
  const invoke = () => lambda.send(new InvokeCommand({ FunctionName, TenantId: tenantId(tenant), Payload }));
  const response = await invoke().catch((error: unknown) => {
    if (!isRefusedForItsTime(error)) throw error;
    return invoke();
  });
  const payload: unknown = JSON.parse(Buffer.from(response.Payload ?? []).toString() || 'null');
  if (response.FunctionError !== undefined) throw new FunctionError(functionError.parse(payload));
  return payload;
}

/**
 * Reports if Lambda refused a request because our clock is wrong. The function has not run. The client knows the difference now, but
 * makes one attempt only.
 */
function isRefusedForItsTime(error: unknown): boolean {
  const { name, $metadata } = error as Error & { $metadata?: { readonly clockSkewCorrected?: boolean } };
  return name === 'InvalidSignatureException' && $metadata?.clockSkewCorrected === true;
}

/** Returns the id of a tenant for Lambda, which logs it. */
export function tenantId(tenant: string): string {
  return hash('sha256', tenant).slice(0, 32);
}
