import { type ApiKey, keyState } from '../../lambda/access/api-key.ts';
import type { Table } from '../../terminal/table.ts';

/** The limits of a stage, as its stack outputs them. */
export interface Limits {
  /** The value of each, in the structure of the configuration. */
  readonly limits: Readonly<Record<string, unknown>>;
  /** The paths of those that differ from the defaults of the release. */
  readonly configured: readonly string[];
}

/** What each limit bounds, in the order of the table; a line has at most 100 characters. */
const BOUNDS: readonly (readonly [limit: string, bounds: string])[] = [
  ['rateLimit.windowSeconds', 'seconds of a window'],
  ['rateLimit.anonymous', 'requests of an address'],
  ['rateLimit.key', 'requests of a key or token'],
  ['rateLimit.reads', 'reads of a caller'],
  ['rateLimit.zips', 'zips of an address in 5 minutes'],
  ['rateLimit.reports', 'pages that an address reports a day'],
  ['bytesPerDay.anonymous', 'deployed by an address'],
  ['bytesPerDay.anonymousTogether', 'deployed by all addresses'],
  ['bytesPerDay.key', 'deployed and uploaded by a key'],
  ['generation.anonymous', 'generations without a key'],
  ['generation.running.anonymous', 'generations of an address at once'],
  ['generation.running.key', 'generations of a key at once'],
  ['generation.running.service', 'all generations at once'],
  ['budgets.anonymous.usd', 'dollars a day without a key'],
  ['budgets.anonymous.tokens', 'tokens a day without a key'],
  ['budgets.key.usd', 'dollars a day of a key'],
  ['budgets.key.tokens', 'tokens a day of a key'],
  ['budgets.service.usd', 'dollars a day of all callers'],
  ['budgets.service.tokens', 'tokens a day of all callers'],
  ['throttle.rate', 'requests a second of all callers'],
  ['throttle.burst', 'requests at once'],
  ['throttle.generateRate', 'generate a second'],
  ['throttle.generateBurst', 'generate at once'],
  ['throttle.deployRate', 'deploys a second'],
  ['throttle.deployBurst', 'deploys at once'],
  ['throttle.reportRate', 'reports of pages a second'],
  ['throttle.reportBurst', 'reports of pages at once'],
  ['concurrency.generationApi', 'starts and waits at once'],
  ['concurrency.attempts', 'invocations with attempts at once'],
  ['concurrency.sites', 'visits at once'],
  ['concurrency.deployments', 'requests for deployments at once'],
  ['concurrency.generatedDeploys', 'deploys of generations at once'],
  ['concurrency.webhooks', 'notifications at once'],
  ['concurrency.invalidations', 'removals from the edge at once'],
  ['concurrency.agents', 'requests of agents at once'],
  ['concurrency.downloads', 'zips at once'],
  ['concurrency.builds', 'builds at once'],
  ['tables.maxReadRequestUnits', 'reads a second of each table'],
  ['tables.maxWriteRequestUnits', 'writes a second of each table'],
  ['assets.maxBytes', 'bytes of an upload'],
  ['deployments.invalidationsPerMonth', 'deletions a month that clear the edge'],
  ['apiGatewayDoor', "API Gateway's own address"],
  ['waf', 'a web ACL of the stack'],
];

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html */
const QUOTAS: readonly (readonly [quota: string, value: number, bounds: string])[] = [
  ['API Gateway: body', 10_485_760, 'bytes of a request'],
  ['API Gateway: URL and headers', 10_240, 'bytes of a request'],
  ['CloudFront: response timeout', 120, 'seconds of silence of the API'],
  ['Lambda: timeout', 900, 'seconds of an invocation'],
];

/** Returns the table of all limits of a stage: their values, where those come from, and what they bound. */
export function limitsTable(limits: Limits, keys: readonly ApiKey[], now: number): Table {
  const configured = BOUNDS.map(([limit, bounds]) => {
    const source = limits.configured.includes(limit) ? 'configuration' : 'default';
    return [limit, shown(limitAt(limits, limit)), source, bounds];
  });
  const ofKeys = keys.filter((key) => keyState(key, now) === 'valid').flatMap(limitsOfKey);
  const quotas = QUOTAS.map(([quota, value, bounds]) => [quota, shown(value), 'AWS quota', bounds]);
  return { header: ['LIMIT', 'VALUE', 'FROM', 'BOUNDS'], rows: [...configured, ...ofKeys, ...quotas] };
}

function limitsOfKey({ id, name, limit, budget }: ApiKey): string[][] {
  const own: [value: unknown, bounds: string][] = [
    [limit, 'requests'],
    [budget?.usd, 'dollars a day'],
    [budget?.tokens, 'tokens a day'],
  ];
  return own.flatMap(([value, bounds]) =>
    value === undefined ? [] : [[`key ${id}`, shown(value), 'key', `${bounds} of ${name}`]],
  );
}

/** Returns the value at a path such as `rateLimit.key`; undefined if there is none. */
export function limitAt({ limits }: Limits, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as typeof limits | undefined)?.[name], limits);
}

function shown(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return 'none';
}
