import type { Caller, Callers } from '../access/callers.ts';
import { endOfDay } from '../access/kept-until.ts';
import type { OriginSecrets } from '../access/origin-secrets.ts';
import type { RateLimiter } from '../access/rate-limiter.ts';
import type { Closures } from '../access/stage-state.ts';
import { ApiError } from '../contract/errors.ts';
import { RATE_LIMIT_DOCS } from '../contract/limits.ts';
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.ts';
import type { Clock } from '../platform/clock.ts';
import { type ApiMiddleware, type ApiRequest, wantsEvents } from './request.ts';
import { operationOf } from './router.ts';

export interface DoorPorts {
  /** Whether API Gateway's own address serves requests as well. */
  readonly apiGatewayDoor: boolean;
  readonly originSecrets: Pick<OriginSecrets, 'areSentWith'>;
}

/**
 * Notes on each request whether it came through the distribution, and refuses others before any other call: at API Gateway's own
 * address, they would pass what is in front of the distribution.
 */
export function door({ apiGatewayDoor, originSecrets }: DoorPorts): ApiMiddleware {
  return {
    before: async ({ event }) => {
      event.throughDistribution = await originSecrets.areSentWith(event);
      if (apiGatewayDoor || event.throughDistribution) return;
      throw new ApiError('forbidden', 'This address is internal: send requests to the URL of the service');
    },
  };
}

/** What the operator can close. `all` closes these and everything else that stores what callers send. */
export type Closable = 'generate' | 'deploy' | 'all';

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
    before: async ({ event }) => {
      const closable = closedWith(event);
      if (closable) await requireOpen(closable, closures);
    },
  };
}

/** @throws ApiError closed if any of what is named is closed */
export async function requireOpen(closable: readonly Closable[], closures: Closures): Promise<void> {
  for (const one of closable) if (await closures.closedUntil(one)) throw closedError(one);
}

function closedWith(request: ApiRequest): readonly Closable[] | undefined {
  const name = operationOf(request);
  return name && CLOSED_WITH[name];
}

function closedError(closable: Closable): ApiError {
  const what = { generate: 'generations', deploy: 'deploys', all: 'generations, deploys and uploads' };
  return new ApiError(
    'closed',
    `The operator of this service has closed ${what[closable]} for now; everything else goes on. Try again later`,
    { headers: { 'Retry-After': String(RETRY_SECONDS) }, body: { retryAfter: RETRY_SECONDS } },
  );
}

/** Returns how many bytes a request is going to store. The caller has been identified. */
export type BytesOf = (request: ApiRequest) => number | Promise<number>;

export interface AdmitPorts {
  readonly callers: Callers;
  readonly limiter: RateLimiter;
  readonly closures: Closures;
  /** How many bytes a caller may store in a UTC day. */
  readonly bytesPerDay: { readonly anonymous: number; readonly key: number };
  readonly clock: Clock;
}

const COUNTED = new Set(['POST', 'PATCH', 'DELETE', 'PUT']);

/**
 * Identifies the caller and counts the request against its rate limit, with the bytes that it is going to store. Reads have a
 * limit of their own, except for those with an effect or that wait, but every response carries the remaining quota. A request with
 * an invalid credential counts for the address, whatever its method, to limit the guessing of keys.
 */
export function admit(ports: AdmitPorts, bytesOf: BytesOf = () => 0): ApiMiddleware {
  const { callers, limiter } = ports;
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
        if (counted.allowed && bytes > 0) await requireBytesLeft(caller, counted.bytesToday, ports);
      } else {
        event.quota = await limiter.read(id, limit);
      }
      const { allowed, secondsLeft, windowSeconds, limit: exceeded } = event.quota;
      if (!allowed)
        throw rateLimitError(`more than ${exceeded} requests in ${windowSeconds} seconds`, secondsLeft);
      if (refusal) throw refusal;
    },
  };
}

function counts(request: ApiRequest): boolean {
  const name = operationOf(request);
  const operation: Operation | undefined = name && OPERATIONS[name];
  if (operation?.counts === 'never') return false;
  if (COUNTED.has(request.method) || operation?.counts === 'always') return true;
  return operation?.counts === 'events' && wantsEvents(request);
}

/** @throws ApiError rate_limited if the caller, or all anonymous callers together, have stored too much today */
async function requireBytesLeft(
  { credential }: Caller,
  bytesToday: number,
  { bytesPerDay, closures, clock }: AdmitPorts,
): Promise<void> {
  const limit = credential ? bytesPerDay.key : bytesPerDay.anonymous;
  const seconds = Math.ceil((endOfDay(clock()) - clock()) / 1000);
  if (bytesToday > limit)
    throw rateLimitError(`more than ${limit.toLocaleString('en')} bytes in a day (UTC)`, seconds);
  if (!credential && (await closures.closedUntil('bytes/anonymous')))
    throw rateLimitError('all callers without an API key have deployed too many bytes today (UTC)', seconds);
}

function rateLimitError(what: string, retryAfter: number): ApiError {
  return new ApiError('rate_limited', `Rate limit exceeded: ${what}. Try again in ${retryAfter} s`, {
    headers: { 'Retry-After': String(retryAfter) },
    body: { retryAfter, docs: RATE_LIMIT_DOCS },
  });
}
