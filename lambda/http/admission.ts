import type { Caller } from '../access/callers.ts';
import type { OriginSecrets } from '../access/origin-secrets.ts';
import type { Closures } from '../access/stage-state.ts';
import { ApiError, retryError } from '../contract/errors.ts';
import type { OperationName } from '../contract/operations.ts';
import { endOfDay } from '../platform/clock.ts';
import type { CallerAccess } from './api-access.ts';
import { type ApiMiddleware, type ApiRequest, wantsEvents } from './request.ts';
import type { BytesOf } from './router.ts';

/**
 * Notes on each request whether it came through the distribution, and refuses others before any other call: at API
 * Gateway's own address, they would pass what is in front of the distribution.
 */
export function door({
  apiGatewayDoor,
  originSecrets,
}: {
  /** Whether API Gateway's own address serves requests as well. */
  readonly apiGatewayDoor: boolean;
  readonly originSecrets: Pick<OriginSecrets, 'areSentWith'>;
}): ApiMiddleware {
  return {
    before: async ({ event }) => {
      event.throughDistribution = await originSecrets.areSentWith(event);
      if (apiGatewayDoor || event.throughDistribution) return;
      throw new ApiError('forbidden', 'This address is internal: send requests to the URL of the service');
    },
  };
}

/** The operations that the operator can close. `all` closes these and everything else that stores what callers send. */
type Closable = 'generate' | 'deploy' | 'all';

/** The operations that are closed with each. Reading, managing and visiting go on. */
const CLOSED_WITH: { readonly [Name in OperationName]?: readonly Closable[] } = {
  generate: ['generate', 'all'],
  deploy: ['deploy', 'all'],
  deployStaged: ['deploy', 'all'],
  postDeployStaged: ['deploy', 'all'],
  build: ['deploy', 'all'],
  createAsset: ['all'],
};

/** It is not known when the operator opens the stage. Clients do not wait that long, and report the error. */
const RETRY_SECONDS = 600;

/** Refuses operations that the operator has closed, before the caller is identified. */
export function refuseClosed(closures: Closures): ApiMiddleware {
  return {
    before: async ({ event: { target } }) => {
      await requireOpen((target && CLOSED_WITH[target.name]) ?? [], closures);
    },
  };
}

/** @throws ApiError closed if any of what is named is closed */
export async function requireOpen(closable: readonly Closable[], closures: Closures): Promise<void> {
  for (const one of closable) if (await closures.closedUntil(one)) throw closedError(one);
}

function closedError(closable: Closable): ApiError {
  const what = { generate: 'generations', deploy: 'deploys', all: 'generations, deploys and uploads' };
  const closed = `The operator of this service has closed ${what[closable]} for now`;
  return retryError('closed', `${closed}; everything else goes on. Try again later`, RETRY_SECONDS);
}

const COUNTED = new Set(['POST', 'PATCH', 'DELETE', 'PUT']);

/** Identifies and limits callers. */
export type Limits = Pick<CallerAccess, 'callers' | 'limiter' | 'bytesPerDay' | 'clock'> & {
  readonly closures: Closures;
};

/**
 * Identifies the caller and counts the request against its rate limit, with the bytes that it is going to store. Reads
 * have a limit of their own, except for those with an effect or that wait, but every response carries the remaining
 * quota. A request with an invalid credential counts for the address, whatever its method, to limit the guessing of keys.
 */
export function admit(access: Limits, bytesOf: BytesOf): ApiMiddleware {
  const { callers, limiter } = access;
  return {
    before: async ({ event }) => {
      // A CORS preflight has no credential and does not count.
      if (event.method === 'OPTIONS') return;
      const { caller, refusal } = await callers.identify(event);
      event.caller = caller;
      const { id, limit } = caller;
      if (refusal || counts(event)) {
        const bytes = refusal ? 0 : await bytesOf(event);
        const counted = await limiter.count(id, limit, bytes);
        event.quota = counted;
        if (counted.allowed && bytes > 0) await requireBytesLeft(caller, counted.bytesToday, access);
      } else {
        event.quota = await limiter.read(id, limit);
      }
      const { allowed, secondsLeft, windowSeconds, limit: exceeded } = event.quota;
      if (!allowed) throw rateLimitError(`more than ${exceeded} requests in ${windowSeconds} seconds`, secondsLeft);
      if (refusal) throw refusal;
    },
  };
}

function counts(request: ApiRequest): boolean {
  const when = request.target?.operation.counts;
  if (when === 'never') return false;
  if (COUNTED.has(request.method) || when === 'always') return true;
  return when === 'events' && wantsEvents(request);
}

/** @throws ApiError rate_limited if the caller, or all anonymous callers together, have stored too much today */
export async function requireBytesLeft(
  { credential }: Pick<Caller, 'credential'>,
  bytesToday: number,
  { bytesPerDay, closures, clock }: Pick<Limits, 'bytesPerDay' | 'closures' | 'clock'>,
): Promise<void> {
  const limit = credential ? bytesPerDay.key : bytesPerDay.anonymous;
  const seconds = Math.ceil((endOfDay(clock()) - clock()) / 1000);
  if (bytesToday > limit) throw rateLimitError(`more than ${limit.toLocaleString('en')} bytes in a day (UTC)`, seconds);
  if (!credential && (await closures.closedUntil('bytes/anonymous')))
    throw rateLimitError('all callers without an API key have deployed too many bytes today (UTC)', seconds);
}

function rateLimitError(what: string, retryAfter: number): ApiError {
  return retryError('rate_limited', `Rate limit exceeded: ${what}. Try again in ${retryAfter} s`, retryAfter);
}
