import { LIMITS } from '../../lambda/contract/limits.ts';
import { OPERATIONS } from '../../lambda/contract/operations.ts';
import { budgetsOf } from '../../lib/budgets.ts';
import type { StageConfig } from '../../lib/config.ts';
import { WEB_ACL_RATES } from '../../lib/limits-config.ts';
import { AWS } from './aws-prices.ts';
import { DAY_SECONDS, doorCost, GB, requestCost, secondCost } from './cost.ts';
import type { Calls, Measured } from './measured.ts';
import { longest, REVIEWED_CALLS, REVIEWED_MODEL, tokensCost } from './tokens.ts';

/** What an attacker has. */
export interface Attacker {
  readonly name: string;
  readonly addresses: number;
  /** Whether it has a leaked API key, and uses that instead of its address. */
  readonly hasKey: boolean;
}

export const ATTACKERS: readonly Attacker[] = [
  { name: 'one address', addresses: 1, hasKey: false },
  { name: '10,000 addresses', addresses: 10_000, hasKey: false },
  { name: 'a leaked key', addresses: 1, hasKey: true },
];

/** What an attacker does, as the review assumed it: requests per second in all, and bits of pages per second. */
export const ATTACK = { requestsPerSecond: 1_000, gigabits: 1 };

/** The usual quota of instances of an account: what bounds everything without limits of the stage. */
export const ACCOUNT_CONCURRENCY = 1_000;

/** The longest that a wait with a key lasts: the longest generation. */
const KEY_WAIT_SECONDS = 600;
const ANONYMOUS_WAIT_SECONDS = 110;

/** A way to cost money, in US dollars per day and attacker. */
export interface Hole {
  readonly name: string;
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** After, with `"waf": true`. */
  readonly withWaf: readonly number[];
  readonly bound: string;
}

/** Returns what each attacker can cost in a day in each way. */
export function worstDay(config: StageConfig, measured: Measured): Hole[] {
  const day = new Day(config, measured);
  const of = (cost: (attacker: Attacker) => number) => ATTACKERS.map(cost);
  return [
    {
      name: 'tokens of models',
      before: of((attacker) => day.tokensBefore(attacker)),
      after: of((attacker) => day.tokens(attacker)),
      withWaf: of((attacker) => day.tokens(attacker)),
      bound: '`budgets`, which all addresses share; nothing if no provider costs money',
    },
    {
      name: 'generations, without tokens',
      before: of((attacker) => day.generationsBefore(attacker)),
      after: of((attacker) => day.generations(attacker)),
      withWaf: of((attacker) => day.generations(attacker)),
      bound: '`generation.running`, `rateLimit` and `throttle`',
    },
    {
      name: 'waiting for results',
      before: of(() => day.instances(ACCOUNT_CONCURRENCY, 'GenerationApi')),
      after: of((attacker) => day.waits(attacker)),
      withWaf: of((attacker) => day.waits(attacker)),
      bound: '`rateLimit`, since waiting counts, and `concurrency.generationApi`',
    },
    {
      name: `${ATTACK.requestsPerSecond.toLocaleString('en')} requests per second to the API`,
      before: of(() => day.flood(ATTACK.requestsPerSecond, measured.requests.read)),
      after: of((attacker) => day.reads(attacker)),
      withWaf: of((attacker) => day.readsWithWaf(attacker)),
      bound:
        '`throttle` for each path and method. Refusing a request costs nearly as much as responding to it, so only `"waf": true` helps',
    },
    {
      name: `${ATTACK.gigabits} Gbit/s of pages and files`,
      before: of(() => day.egress(Number.POSITIVE_INFINITY)),
      after: of(() => day.egress(Number.POSITIVE_INFINITY)),
      withWaf: of((attacker) => day.egress(WEB_ACL_RATES.pages * attacker.addresses)),
      bound: 'only `"waf": true`, or a flat-rate plan of CloudFront',
    },
    {
      name: 'deploys and uploads, stored for a month',
      before: of((attacker) => day.storedBefore(attacker)),
      after: of((attacker) => day.stored(attacker)),
      withWaf: of((attacker) => day.stored(attacker)),
      bound: '`bytesPerDay`',
    },
  ];
}

/** The computations of a day, from the limits of a stage and what requests use. */
class Day {
  readonly #config: StageConfig;
  readonly #measured: Measured;

  constructor(config: StageConfig, measured: Measured) {
    this.#config = config;
    this.#measured = measured;
  }

  tokensBefore(attacker: Attacker): number {
    const callSeconds = 120;
    const possible = (ACCOUNT_CONCURRENCY * DAY_SECONDS) / callSeconds;
    const { maxOutputTokens } = REVIEWED;
    const calls = Math.min(this.#counted(attacker) * REVIEWED_CALLS, possible);
    return calls * tokensCost(REVIEWED_MODEL, longest(maxOutputTokens));
  }

  tokens({ hasKey }: Attacker): number {
    const { anonymous, key, service } = budgetsOf(this.#config);
    const own = hasKey ? key : anonymous;
    if (own === undefined && service === undefined) return 0;
    return Math.min(own?.usd ?? Number.POSITIVE_INFINITY, service?.usd ?? Number.POSITIVE_INFINITY);
  }

  generationsBefore(attacker: Attacker): number {
    const cost = requestCost(this.#dearest, 'api', this.#measured);
    return Math.min(this.#counted(attacker), ACCOUNT_CONCURRENCY * DAY_SECONDS) * cost;
  }

  /** As many as the rates allow; those that run as long as a model writes are bounded by `running` as well. */
  generations(attacker: Attacker): number {
    const { throttle } = this.#config;
    const count = Math.min(this.#counted(attacker), throttle.generateRate * DAY_SECONDS);
    return count * requestCost(this.#dearest, 'api', this.#measured);
  }

  waits(attacker: Attacker): number {
    const { rateLimit, concurrency } = this.#config;
    const perWindow = attacker.hasKey ? rateLimit.key : rateLimit.anonymous * attacker.addresses;
    const seconds = attacker.hasKey ? KEY_WAIT_SECONDS : ANONYMOUS_WAIT_SECONDS;
    const atOnce = (perWindow * seconds) / rateLimit.windowSeconds;
    return this.instances(Math.min(atOnce, concurrency.generationApi), 'GenerationApi');
  }

  /** Instances of a function that run all day. */
  instances(count: number, name: string): number {
    return count * DAY_SECONDS * secondCost(this.#measured.memoryMb[name] ?? 512);
  }

  flood(perSecond: number, calls: Calls): number {
    return perSecond * DAY_SECONDS * requestCost(calls, 'api', this.#measured);
  }

  reads({ addresses }: Attacker): number {
    const { rateLimit } = this.#config;
    const reached = Math.min(ATTACK.requestsPerSecond, this.#throttled);
    const allowed = Math.min((rateLimit.reads * addresses) / rateLimit.windowSeconds, reached);
    const { read } = this.#measured.requests;
    return (
      this.flood(allowed, read) +
      this.#refused(reached - allowed) +
      (ATTACK.requestsPerSecond - reached) * DAY_SECONDS * doorCost('page')
    );
  }

  /** Requests that are refused by a limit of the service, which takes a few milliseconds. */
  #refused(perSecond: number): number {
    const { refused } = this.#measured.requests;
    const seconds = Object.fromEntries(Object.keys(refused.invocations).map((name) => [name, 0.02]));
    return perSecond * DAY_SECONDS * requestCost(refused, 'api', this.#measured, seconds);
  }

  readsWithWaf({ addresses }: Attacker): number {
    const passed = Math.min(
      (WEB_ACL_RATES.api * addresses) / WEB_ACL_RATES.windowSeconds,
      ATTACK.requestsPerSecond,
    );
    const inspected = ATTACK.requestsPerSecond * DAY_SECONDS * AWS.inspectedRequest;
    const reached = Math.min(passed, this.#throttled);
    const throttled = (passed - reached) * DAY_SECONDS * doorCost('page');
    const blocked = (ATTACK.requestsPerSecond - passed) * DAY_SECONDS * AWS.edgeRequest;
    return this.flood(reached, this.#measured.requests.read) + throttled + blocked + inspected;
  }

  /** Bytes of cached files. @param most files in five minutes */
  egress(most: number): number {
    const files = (most / WEB_ACL_RATES.windowSeconds) * DAY_SECONDS;
    const bytes = Math.min((ATTACK.gigabits * GB * DAY_SECONDS) / 8, files * LIMITS.fileBytes);
    return (bytes / GB) * AWS.egressGigabyte;
  }

  storedBefore(attacker: Attacker): number {
    return this.#storage(this.#counted(attacker) * LIMITS.deploymentBytes);
  }

  stored({ hasKey, addresses }: Attacker): number {
    const { anonymous, anonymousTogether, key } = this.#config.bytesPerDay;
    return this.#storage(hasKey ? key : Math.min(anonymous * addresses, anonymousTogether));
  }

  #storage(bytes: number): number {
    const possible = Math.min(bytes, UPLOAD_BYTES_PER_DAY);
    return (possible / GB) * AWS.storedGigabyte;
  }

  /** Requests per second that API Gateway lets through: each path and method has a throttle of its own. */
  get #throttled(): number {
    return this.#config.throttle.rate * Object.keys(OPERATIONS).length;
  }

  /** Requests of a day that count, as many as the rate limit allows. */
  #counted({ hasKey, addresses }: Attacker): number {
    const { windowSeconds, anonymous, key } = this.#config.rateLimit;
    return ((hasKey ? key : anonymous * addresses) / windowSeconds) * DAY_SECONDS;
  }

  /** The counted request that costs most. */
  get #dearest(): Calls {
    return this.#measured.requests.generateAndDeploy;
  }
}

const REVIEWED = { maxOutputTokens: 32_000 };
/** At 1 Gbit/s. */
const UPLOAD_BYTES_PER_DAY = (ATTACK.gigabits * GB * DAY_SECONDS) / 8;

/** Returns the most that the functions of a stage can cost in a day: every instance runs all the time. */
export function concurrencyCeiling({ concurrency }: StageConfig, { memoryMb }: Measured): number {
  const large: Partial<Record<string, string>> = {
    deployments: 'DeploymentsApi',
    generatedDeploys: 'DeploymentsApi',
    builds: 'BuildsBuild',
    // With as much memory.
    looks: 'BuildsBuild',
  };
  return Object.entries(concurrency).reduce((sum, [name, count]) => {
    const memory = memoryMb[large[name] ?? 'GenerationApi'] ?? 512;
    return sum + count * DAY_SECONDS * secondCost(memory);
  }, 0);
}

/** Returns the most that the requests to one table can cost in a day. */
export const tableCeiling = ({ tables }: StageConfig): number =>
  DAY_SECONDS * (tables.maxReadRequestUnits * AWS.readUnit + tables.maxWriteRequestUnits * AWS.writeUnit);
