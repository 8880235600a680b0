import { createHmac } from 'node:crypto';
import { ApiError } from '../contract/errors.ts';
import { RATE_LIMIT_DOCS } from '../contract/limits.ts';

/** The place of a running generation among those of its caller and of the service. */
export interface Slot {
  /** The attribute with the slots of the caller. An address is not stored: its holder is an HMAC. */
  readonly holder: `caller#${string}`;
  /** `<execution>@<createdAt>`. */
  readonly name: string;
}

/** How many generations run at the same time: of the caller, and of all callers together. */
export interface SlotLimits {
  readonly own: number;
  readonly service: number;
}

/** The sets of slots in the item of the providers, by attribute: `running` has all of them. */
export interface SlotSets {
  readonly running?: ReadonlySet<string>;
  readonly [holder: Slot['holder']]: ReadonlySet<string> | undefined;
}

/**
 * A slot that is older was not freed, because a function died in between. No generation lasts longer: at most 14 minutes of
 * attempts, and 5 of a deploy with its retries.
 */
const LEASE_MS = 30 * 60_000;

/** Generations last from a second to minutes. */
const RETRY_SECONDS = 10;

/** Returns the slot of an execution. @param secret keys the HMAC of the caller's id */
export function newSlot(
  callerId: string | undefined,
  execution: string,
  createdAt: number,
  secret: string,
): Slot {
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify(['slots', callerId]))
    .digest('base64url');
  return { holder: `caller#${digest.slice(0, 22)}`, name: `${execution}@${createdAt}` };
}

/** Returns the slot that another request took for the same execution, with the same idempotency key. */
export function sameExecution({ holder, name }: Slot, sets: SlotSets): Slot | undefined {
  const prefix = name.slice(0, name.lastIndexOf('@') + 1);
  const taken = Array.from(sets[holder] ?? []).find((other) => other.startsWith(prefix));
  return taken === undefined ? undefined : { holder, name: taken };
}

/** Returns the slots that are older than any generation, by the attribute of their set. */
export function expiredSlots(sets: SlotSets, now: number): Map<string, Set<string>> {
  const isExpired = (name: string) => Number(name.slice(name.lastIndexOf('@') + 1)) < now - LEASE_MS;
  const expired = new Map<string, Set<string>>();
  for (const [attribute, names] of Object.entries(sets)) {
    if (attribute !== 'running' && !attribute.startsWith('caller#')) continue;
    const old = Array.from((names ?? []) as Iterable<string>).filter(isExpired);
    if (old.length > 0) expired.set(attribute, new Set(old));
  }
  return expired;
}

/** Returns why there is no slot; undefined if there is one. */
export function noSlotError(
  { holder }: Slot,
  sets: SlotSets,
  { own, service }: SlotLimits,
): ApiError | undefined {
  if ((sets[holder]?.size ?? 0) >= own) return ownLimitError(own);
  return (sets.running?.size ?? 0) >= service ? busyError() : undefined;
}

function ownLimitError(own: number): ApiError {
  const running = own === 1 ? '1 generation is running' : `${own} generations are running`;
  return new ApiError(
    'rate_limited',
    `${running}, as many as this caller may run at the same time: wait for one to end, or cancel it. Try again in ${RETRY_SECONDS} s`,
    {
      headers: { 'Retry-After': String(RETRY_SECONDS) },
      body: { retryAfter: RETRY_SECONDS, docs: RATE_LIMIT_DOCS },
    },
  );
}

/** Returns the error for a service that runs as many generations as it may. */
export function busyError(): ApiError {
  return new ApiError(
    'busy',
    `The service runs as many generations as it may. Try again in ${RETRY_SECONDS} s`,
    { headers: { 'Retry-After': String(RETRY_SECONDS) }, body: { retryAfter: RETRY_SECONDS } },
  );
}
