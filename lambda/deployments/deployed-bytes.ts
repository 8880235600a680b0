import type { Caller } from '../access/callers.ts';
import { type LimitsTable, SharedCounter } from '../access/shared-counter.ts';
import type { StageState } from '../access/stage-state.ts';
import { LIMITS } from '../contract/limits.ts';
import { isGzip } from '../http/input.ts';
import type { ApiRequest } from '../http/request.ts';
import { endOfDay } from '../platform/clock.ts';
import { log } from '../platform/log.ts';

/** The bodies that CloudFront sends to a function; the front door's function has the same number. */
const EVENT_BODY_BYTES = 4_694_016;

/** Returns how many bytes a request is going to deploy or build: at most those of its body. Files by hash are stored already. */
export function deployedBytes({ rawBody }: ApiRequest): number {
  return bodyBytes(rawBody());
}

/**
 * Returns the length of the body of a deploy once it is decompressed, and at most what a deploy may store. A gzip body says its
 * length in its last four bytes (RFC 1952, 2.3.1), which `jsonBody` compares with what it decompresses.
 */
export function bodyBytes(body: Buffer): number {
  const length = isGzip(body) && body.length >= 4 ? body.readUInt32LE(body.length - 4) : body.length;
  return Math.min(length, LIMITS.deploymentBytes);
}

/**
 * Returns how many bytes a body may deploy that API Gateway is going to store: its length, or the most possible if it is
 * compressed, of unknown length, or so small that nobody has to store it. The last one bounds a compressed body that does
 * not say so.
 */
export function stagedBytes({ headers }: Pick<ApiRequest, 'headers'>): number {
  const length = Number(headers['content-length'] ?? 0);
  const isKnown = headers['content-encoding'] === undefined && length > EVENT_BODY_BYTES;
  return isKnown ? Math.min(length, LIMITS.deploymentBytes) : LIMITS.deploymentBytes;
}

/** The item of the table of rate limits with the bytes of the day. */
const EVERYONE = '#anonymous';

/** The share of the limit that an instance counts before it shares the count. */
const BATCHES = 1_000;

/** Notes how many bytes a caller deployed. */
export type CountDeployed = (caller: Pick<Caller, 'credential'> | undefined, bytes: number) => Promise<void>;

/**
 * Returns a function that counts what all anonymous callers together deploy in a UTC day. Beyond the limit, it closes their deploys
 * for the rest of the day. Errors are only logged: the deploy is committed.
 */
export function countAnonymous(limit: number, limits: LimitsTable, state: StageState): CountDeployed {
  const batch = Math.ceil(limit / BATCHES);
  const counter = new SharedCounter(limits, { name: 'bytes', windowSeconds: 86_400, limit, batch });
  return async (caller, bytes) => {
    if (caller?.credential) return;
    const { allowed } = await counter.count(EVERYONE, bytes);
    if (allowed || (await state.closedUntil('bytes/anonymous'))) return;
    await state
      .close('bytes/anonymous', endOfDay(limits.clock()))
      .catch((error: unknown) => log.error('deploys not closed', { error }));
  };
}
