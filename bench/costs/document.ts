import { DEFAULT_BUDGETS } from '../../lib/budgets.ts';
import { parseConfig, type StageConfig } from '../../lib/config.ts';
import { PRICES_AS_OF, SERVICES } from './aws-prices.ts';
import { LOGGED_BYTES } from './cost.ts';
import { type Calls, type Measured, REQUESTS, type RequestName } from './measured.ts';
import { dollars, ordinaryRows, round, VIEW } from './ordinary.ts';
import { NATURAL, REVIEWED_CALLS, REVIEWED_MODEL, TOKENS_PER_SECOND } from './tokens.ts';
import {
  ACCOUNT_CONCURRENCY,
  ATTACK,
  ATTACKERS,
  concurrencyCeiling,
  type Hole,
  tableCeiling,
  worstDay,
} from './worst-day.ts';

/** The stage that the document is about: the defaults, with a provider that costs money. */
export const STAGE: StageConfig = parseConfig(
  {
    providers: {
      'provider-a': { kind: 'anthropic', model: 'claude-sonnet-5-5', apiKey: 'ANTHROPIC_API_KEY' },
    },
  },
  'docs/costs.md',
);

/** Returns the text of docs/costs.md. */
export function costsDocument(config: StageConfig, measured: Measured): string {
  const holes = worstDay(config, measured);
  return [
    '# Costs',
    INTRODUCTION,
    '## Ordinary use',
    table(
      ['what', 'cost', 'notes'],
      ordinaryRows(config, measured).map(({ what, usd, why }) => [what, dollars(usd), why]),
    ),
    '## The most that strangers can cost in a day',
    `*Before* is with the limits of counted requests alone, an account with a quota of ${round(ACCOUNT_CONCURRENCY)} instances, and an attacker with ${ATTACK.gigabits} Gbit/s. *After* is with the default limits and a model that costs money, and *WAF* also with \`"waf": true\`.`,
    abuseTable(holes),
    ...decision(config, measured, holes),
    '## How it is computed',
    assumptions(),
    table(
      ['request', 'reads', 'writes', 'S3 reads', 'S3 writes', 'transitions', 'functions'],
      usedRows(measured),
    ),
    `Prices of AWS (us-east-1) on ${PRICES_AS_OF}:`,
    table(
      ['service', 'prices', 'source'],
      Object.entries(SERVICES).map(([name, { source, prices }]) => [name, pricesText(prices), `<${source}>`]),
    ),
    'Prices of models are in [lambda/contract/list-prices.ts](../lambda/contract/list-prices.ts), with their sources.',
  ]
    .join('\n\n')
    .concat('\n');
}

const INTRODUCTION = `<!-- Written by npm run costs: change bench/costs/ instead. -->
What a stage costs in US dollars at list prices, without free tiers, and whether to leave its API open. \`npm run costs\` measures the AWS
calls of each request against the local cloud ([costs.json](costs.json)) and writes this page from them, the limits of the
[configuration](configuration.md) and the prices below.`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function abuseTable(holes: readonly Hole[]): string {
  const head = [
    'what they do',
    ...ATTACKERS.flatMap(({ name }) => [`${name}: before`, 'after', 'WAF']),
    'bounded by',
  ];
  const cells = (of: (kind: 'before' | 'after' | 'withWaf', attacker: number) => string) =>
    ATTACKERS.flatMap((_, attacker) => [
      of('before', attacker),
      of('after', attacker),
      of('withWaf', attacker),
    ]);
  const rows = holes.map(({ name, bound, ...amounts }) => [
    name,
    ...cells((kind, attacker) => dollars(amounts[kind][attacker] ?? 0)),
    bound,
  ]);
  const total = cells((kind, attacker) => `**${dollars(sumOf(holes, kind, attacker))}**`);
  return table(head, [...rows, ['**all at once**', ...total, '']]);
}

const sumOf = (holes: readonly Hole[], kind: 'before' | 'after' | 'withWaf', attacker: number) =>
  holes.reduce((sum, hole) => sum + (hole[kind][attacker] ?? 0), 0);

function decision(config: StageConfig, measured: Measured, holes: readonly Hole[]): string[] {
  const { anonymous, key, service } = DEFAULT_BUDGETS;
  const egress = holes.find(({ name }) => name.includes('Gbit/s'));
  return [
    'What follows from it:',
    [
      `- Models cost at most $${anonymous.usd} a day for all callers without a key, $${key.usd} for each key and $${service.usd} in all, and at most one reservation more. A free provider in the order goes on responding.`,
      `- Under any load, the functions with a reserved concurrency cost at most ${dollars(concurrencyCeiling(config, measured))} a day, and the requests to a table or its index ${dollars(tableCeiling(config))}.`,
      `- What remains are requests and bytes as such. Refusing a request costs nearly what responding costs, and no limit bounds the bytes of pages: one fast connection can cause ${dollars(egress?.after[0] ?? 0)} a day. With pay-as-you-go prices, turn \`waf\` on; a [flat-rate plan](operating.md#a-flat-rate-plan-for-cloudfront) is the only ceiling against many addresses.`,
      '- `generation.anonymous: false` closes the first row to everyone without a key, and `npm run limits -- close all` everything within a minute.',
    ].join('\n'),
  ];
}

function assumptions(): string {
  const answer = `${round(NATURAL.output)} tokens at ${TOKENS_PER_SECOND} per second`;
  return [
    `- A natural generation is one answer of ${answer}, as a strong model wrote it (\`test/support/answers/snake.txt\`), and ${round(NATURAL.input)} tokens of input. A page view is ${VIEW.requests} requests and ${VIEW.bytes / 1_000} KB.`,
    `- Functions run for 50 ms, a visit for 20 ms, a deploy for 300 ms and each attempt of the embedded provider for 1 s; each invocation logs ${LOGGED_BYTES / 1_000} KB. The local cloud says nothing about their durations on AWS.`,
    `- Before the limits, each generation of an attacker made ${REVIEWED_CALLS} calls of 32,000 tokens with ${REVIEWED_MODEL}. Its other attacks: ${round(ATTACK.requestsPerSecond)} reads per second, a wait in each instance, and deploys of 10 MB.`,
    '- Limits of requests are those of each address or key; throttles of API Gateway are best effort, so a short burst can exceed them.',
  ].join('\n');
}

function usedRows({ requests }: Measured): string[][] {
  return (Object.keys(REQUESTS) as RequestName[]).map((name) => {
    const { readUnits, writeUnits, s3Reads, s3Writes, transitions, invocations }: Calls = requests[name];
    const functions = Object.entries(invocations).map(([one, count]) =>
      count === 1 ? one : `${count} ${one}`,
    );
    const counts = [readUnits, writeUnits, s3Reads, s3Writes, transitions].map(String);
    return [REQUESTS[name], ...counts, functions.join(', ')];
  });
}

type Prices = Readonly<
  Record<string, { readonly usd: number; readonly unit: string; readonly perMillion?: true }>
>;

const pricesText = (prices: Prices) =>
  Object.values(prices)
    .map(({ usd, unit, perMillion }) => `$${usd} ${perMillion ? `per million ${unit}` : unit}`)
    .join(', ');
