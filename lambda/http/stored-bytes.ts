import type { Caller } from '../access/callers.ts';
import { SharedCounter } from '../access/shared-counter.ts';
import type { StageState } from '../access/stage-state.ts';
import { LIMITS } from '../contract/limits.ts';
import { endOfDay } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { requireBytesLeft } from './admission.ts';
import type { CallerAccess } from './api-access.ts';
import { isGzip } from './input.ts';
import type { ApiRequest } from './request.ts';

/** The bodies that CloudFront sends to a function; the front door's function has the same number. */
const EVENT_BODY_BYTES = 4_694_016;

/**
 * Returns how many bytes a request is counted with before its body is read: the length of the body once it is decompressed,
 * and at most what a deploy may store. A gzip body says its length in its last four bytes (RFC 1952, 2.3.1), which `jsonBody`
 * compares with what it decompresses. What the request stores beyond that is counted by `CountStored`.
 */
export function announcedBytes({ rawBody }: Pick<ApiRequest, 'rawBody'>): number {
  const body = rawBody();
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

/** The bytes of a request that stores files. */
export interface StoredBytes {
  /** With which the request was counted when it was admitted. */
  readonly announced: number;
  /** The length of its body, as it was sent. */
  readonly sent: number;
  /** The length of the objects that it is going to store. */
  readonly stored: number;
}

/**
 * Counts the bytes of a request, before it stores them.
 * @throws ApiError rate_limited if the caller has stored too much today
 */
export type CountStored = (caller: Caller | undefined, bytes: StoredBytes) => Promise<void>;

/**
 * Returns a function that counts what requests store. A file that the request names by its hash, or by a generation, is
 * stored again: a caller's bytes of the UTC day are those of the archives that are written, and at least those announced.
 * All anonymous callers together are counted with what is stored or was sent, so that nobody spends their limit with bodies
 * that decompress to nothing. Beyond it, their deploys are closed for the rest of the day; errors of that are only logged.
 */
export function countStored(
  access: Pick<CallerAccess, 'limiter' | 'bytesPerDay' | 'counting' | 'clock'> & { closures: StageState },
): CountStored {
  const { limiter, bytesPerDay, counting, closures } = access;
  const limit = bytesPerDay.anonymousTogether;
  const batch = Math.ceil(limit / BATCHES);
  const together = new SharedCounter(counting, { name: 'bytes', windowSeconds: 86_400, limit, batch });
  return async (caller, { announced, sent, stored }) => {
    if (!caller) return;
    if (stored > announced)
      await requireBytesLeft(caller, await limiter.addBytes(caller.id, stored - announced), access);
    if (caller.credential) return;
    const { allowed } = await together.count(EVERYONE, Math.max(sent, stored));
    if (allowed || (await closures.closedUntil('bytes/anonymous'))) return;
    await closures
      .close('bytes/anonymous', endOfDay(counting.clock()))
      .catch((error: unknown) => log.error('deploys not closed', { error }));
  };
}
