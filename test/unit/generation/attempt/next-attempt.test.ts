import type { Duration, ProviderName } from '../../../../lambda/contract/generate.ts';
import type { AttemptKind, AttemptOutcome } from '../../../../lambda/contract/responses/generate.ts';
import { nextAttempt } from '../../../../lambda/generation/attempt/next-attempt.ts';
import type { Attempt, Generation, GenerationEvent } from '../../../../lambda/generation/generation.ts';

const NOW = 1_000_000;
const ROUND_MS = 117_000;

/**
 * An attempt: its provider, kind, outcome and number of new files; `plan` if its answer had the plan, `half` if it ended
 * inside a file, `rejected` if the end of the first such file was rejected, `same` if it ran at the same time as the one before it, `after=7` if the provider asked to wait.
 */
type Row = string;

interface Extra {
  readonly duration?: Duration;
  /** Number of planned files. */
  readonly plan?: number;
  readonly remaining?: string;
  readonly age?: number;
  /** When the first attempt began. By default, at once. */
  readonly startedAt?: number;
  readonly problems?: number;
  /** The providers that can see the pictures of the page, if there are any. */
  readonly sees?: string;
}

function eventsOf(
  row: Row,
  attempt: number,
  planned: number,
  first: number,
  startedAt: number,
): GenerationEvent[] {
  const [letter, kind, outcome, count = '0', ...marks] = row.split(' ');
  const files = Number(count);
  const after = /after=(\d+)/.exec(row)?.[1];
  const half = { path: `half-${attempt}`, edits: false, key: '', attempt };
  const started: Attempt = {
    attempt,
    provider: `provider-${letter}` as ProviderName,
    model: '',
    kind: kind as AttemptKind,
    startedAt,
  };
  const ended: Attempt = {
    ...started,
    outcome: outcome as AttemptOutcome,
    files,
    ...(marks.includes('half') ? { unfinished: half } : {}),
    ...(after ? { retryAfterSeconds: Number(after) } : {}),
    ...(marks.includes('rejected') ? { rejected: { 'half-1': 'has a wrong block' } } : {}),
  };
  const plan = Array.from({ length: planned }, (_, n) => ({ path: `file-${n}`, purpose: '' }));
  const stored = Array.from({ length: files }, (_, n): GenerationEvent => {
    const path = kind === 'repair' ? 'file-0' : `file-${first + n}`;
    return { type: 'file', path, language: 'html', bytes: 1, characters: 1, key: '', attempt };
  });
  return [
    { type: 'attempt', ...started },
    ...(marks.includes('plan') ? [{ type: 'plan', files: plan } as const] : []),
    ...stored,
    { type: 'attempt', ...ended },
  ];
}

/** Returns what follows attempts, such as `write by a`, with the seconds before it. */
function follows(rows: readonly Row[], extra: Extra = {}): string {
  const { duration = 'auto', remaining = '', age = 0, problems = 0, plan = 0, sees = '' } = extra;
  const createdAt = NOW - age;
  const { startedAt = createdAt } = extra;
  let written = 0;
  const log = rows.flatMap((row, i) => {
    const events = eventsOf(row, i + 1, plan, written, startedAt);
    written += events.filter(({ type }) => type === 'file').length;
    return events;
  });
  const last = log.findLast((event) => event.type === 'attempt') as Attempt;
  const round = rows.length - rows.toReversed().findIndex((row) => !row.includes('same'));
  const generation: Generation = {
    id: 'j',
    status: 'running',
    prompt: '',
    model: 'auto',
    requestHash: '',
    failedLately: [],
    duration,
    createdAt,
    attempt: round,
    execution: 'j-1',
    kind: last.kind,
    provider: last.provider,
    log,
    remaining: Array.from(remaining, (letter) => `provider-${letter}` as ProviderName),
  };
  const next = nextAttempt(generation, problems, NOW, ROUND_MS, (name) => sees.includes(name.slice(-1)));
  if (next.status !== 'running') return next.status;
  const wait = next.waitSeconds > 0 ? ` in ${next.waitSeconds} s` : '';
  return `${next.kind} by ${next.provider.at(-1)}${wait}`;
}

const CUT = 'a write cut_off 2';
const WRITTEN = 'a write succeeded 3';

const CASES: Readonly<Record<string, readonly [rows: readonly Row[], expected: string, extra?: Extra]>> = {
  'a whole project': [[WRITTEN], 'succeeded', { remaining: 'b' }],
  'a project with problems': [[WRITTEN], 'repair by a', { remaining: 'b', problems: 2 }],
  'one repair, even if problems remain': [
    [WRITTEN, 'a repair succeeded 1'],
    'succeeded',
    { remaining: 'b', problems: 2 },
  ],
  'a repair that failed': [[WRITTEN, 'a repair overloaded'], 'succeeded', { remaining: 'b', problems: 2 }],
  'a repair that was cut off': [[WRITTEN, 'a repair cut_off 0 half'], 'repair by a', { problems: 2 }],
  'an answer that was cut off': [[CUT], 'write by a', { remaining: 'b' }],
  'an answer that was cut off inside its only file': [
    ['a write cut_off 0 half'],
    'write by a',
    { remaining: 'b' },
  ],
  'the rejected end of an edit that was cut off': [
    ['a write cut_off 0 half', 'a write succeeded 1 rejected'],
    'repair by a',
    { problems: 1 },
  ],
  'nothing but a rejected end': [['a write cut_off 0 half', 'a write succeeded 0 rejected'], 'repair by a'],
  'any number of cut-off answers that add something': [[CUT, CUT, CUT, CUT, CUT], 'write by a'],
  'a hundred of them': [Array(100).fill(CUT), 'incomplete'],
  'a cut-off answer after its plan': [['a write cut_off 0 plan'], 'write by a', { plan: 4, remaining: 'b' }],
  'a stall after some files': [['a write silent 2'], 'write by b', { remaining: 'b' }],
  'a stall of the only provider after some files': [['a write silent 2'], 'write by a'],
  'a stall of the only provider inside a file': [['a write silent 0 half'], 'write by a'],
  'a failure in a continuation by the only provider': [[CUT, 'a write failed'], 'write by a'],
  'two such failures': [[CUT, 'a write failed', 'a write failed'], 'incomplete'],
  'such failures with progress between them': [[CUT, 'a write failed', CUT, 'a write failed'], 'write by a'],
  'a failure': [['a write failed'], 'write by b', { remaining: 'bc' }],
  'an answer without a file': [['a write unusable'], 'write by b', { remaining: 'b' }],
  'the last failure': [['a write failed', 'b write timed_out'], 'failed'],
  'the failure of the only provider': [['a write failed'], 'failed'],
  'a broken connection of the only provider': [['a write cut_off'], 'write by a'],
  'nothing but timeouts': [['a write silent', 'b write timed_out'], 'timed_out'],
  'a timeout of the only provider': [['a write timed_out'], 'timed_out'],
  'a continuation without files': [[CUT, 'a write unusable'], 'write by b', { remaining: 'b' }],
  'an overload': [['a write overloaded 0 after=7'], 'write by b', { remaining: 'b' }],
  'an overload of the only provider': [['a write overloaded 0 after=7'], 'write by a in 7 s'],
  'overloads without a time to wait': [['a write overloaded', 'a write overloaded'], 'write by a in 4 s'],
  'four overloads of the only provider': [Array(4).fill('a write overloaded 0 after=1'), 'failed'],
  'overloads of all providers': [['a write overloaded', 'b write overloaded 0 after=7'], 'failed'],
  'an overload in a continuation': [[CUT, 'a write overloaded 0 after=9'], 'write by a in 9 s'],
  'an overload that ends after the duration': [[CUT, 'a write overloaded 0 after=400'], 'incomplete'],
  'an interruption': [['a write interrupted'], 'write by a', { remaining: 'b' }],
  'an interruption after some files': [['a write interrupted 2'], 'write by a', { remaining: 'b' }],
  'two interruptions in a row': [
    ['a write interrupted', 'a write interrupted'],
    'write by b',
    { remaining: 'b' },
  ],
  'nothing but interruptions': [['a write interrupted', 'a write interrupted'], 'failed'],
  'an interrupted repair': [[WRITTEN, 'a repair interrupted'], 'repair by a', { remaining: 'b' }],
  'a part of the plan': [['a write succeeded 2 plan'], 'write by a', { plan: 4 }],
  'a part of the plan and a failure': [
    ['a write succeeded 2 plan', 'a write credentials'],
    'write by b',
    { plan: 4, remaining: 'b' },
  ],
  'the whole plan': [['a write succeeded 4 plan'], 'succeeded', { plan: 4 }],
  'the whole plan, with problems': [['a write succeeded 4 plan'], 'repair by a', { plan: 4, problems: 1 }],
  'the whole plan, by attempts one of which failed': [
    ['a write succeeded 2 plan', 'a write silent 0 same', 'a write succeeded 2 same'],
    'succeeded',
    { plan: 4 },
  ],
  'a part of the plan, by attempts one of which failed': [
    ['a write succeeded 2 plan', 'a write silent 0 same', 'a write succeeded 1 same'],
    'write by a',
    { plan: 4, remaining: 'b' },
  ],
  'a plan that an answer does not finish': [
    ['a write succeeded 3 plan', 'a write succeeded 0'],
    'incomplete',
    { plan: 4 },
  ],
  'an interruption after the whole plan': [['a write interrupted 4 plan'], 'succeeded', { plan: 4 }],
  'no time, but files': [[CUT], 'incomplete', { age: 345_000 }],
  'just enough time': [[CUT], 'write by a', { age: 337_000 }],
  'no time and no files': [['a write cut_off 0 half'], 'timed_out', { age: 345_000 }],
  'no time after a failure': [['a write failed'], 'failed', { age: 345_000 }],
  'no time for a repair': [[WRITTEN], 'succeeded', { age: 345_000, problems: 2 }],
  'the end of five minutes': [[CUT], 'incomplete', { duration: '5min', age: 285_000 }],
  'five of ten minutes': [[CUT], 'write by a', { duration: '10min', age: 300_000 }],
  'the first minute, by a clock that is ahead of that of the request': [
    [CUT],
    'write by a',
    { duration: '5min', age: 360_000, startedAt: NOW - 60_000 },
  ],
  'the end, by a clock that is behind that of the request': [
    [CUT],
    'incomplete',
    { duration: '5min', age: -15_000, startedAt: NOW - 285_000 },
  ],
};

it('decides what follows an attempt', () => {
  const decided = Object.entries(CASES).map(([name, [rows, , extra]]) => [name, follows(rows, extra)]);
  const expected = Object.entries(CASES).map(([name, [, what]]) => [name, what]);
  expect(decided).toEqual(expected);
});

it('repairs as often as the duration allows', () => {
  const repair = 'a repair succeeded 1';
  const after = (duration: Duration, repairs: number) =>
    follows([WRITTEN, ...Array(repairs).fill(repair)], { duration, problems: 1 });
  expect([
    after('auto', 1),
    after('5min', 1),
    after('5min', 2),
    after('10min', 2),
    after('10min', 3),
  ]).toEqual(['succeeded', 'repair by a', 'succeeded', 'repair by a', 'succeeded']);
});

const LONG = { duration: '10min', sees: 'a' } as const;
const REVIEWED = [WRITTEN, 'a review succeeded 0'];

const REVIEWS: typeof CASES = {
  'a whole project': [[WRITTEN], 'review by a', LONG],
  'a whole project with problems': [[WRITTEN], 'review by a', { ...LONG, problems: 2 }],
  'a change with a rejected part': [['a write succeeded 1 rejected'], 'incomplete', { duration: '10min' }],
  'a project in five minutes': [[WRITTEN], 'review by a', { ...LONG, duration: '5min' }],
  'a project without a duration': [[WRITTEN], 'succeeded', { sees: 'a' }],
  'a provider that cannot see': [[WRITTEN], 'repair by a', { ...LONG, sees: 'b', problems: 1 }],
  'a part of the plan': [['a write succeeded 2 plan'], 'write by a', { ...LONG, plan: 4 }],
  'a page that a repair made': [
    [WRITTEN, 'a repair succeeded 1'],
    'review by a',
    { ...LONG, problems: 1, remaining: 'b' },
  ],
  'less time than a review and a repair take': [
    [WRITTEN],
    'repair by a',
    { ...LONG, problems: 1, age: 560_000 },
  ],
  'a review that changes nothing': [REVIEWED, 'succeeded', { ...LONG, remaining: 'b' }],
  'a review that changes nothing, with problems': [
    REVIEWED,
    'repair by a',
    { ...LONG, problems: 1, remaining: 'b' },
  ],
  'a review with changes': [[WRITTEN, 'a review succeeded 1'], 'succeeded', LONG],
  'a review with changes that left problems': [
    [WRITTEN, 'a review succeeded 1'],
    'repair by a',
    { ...LONG, problems: 1 },
  ],
  'a review that failed': [[WRITTEN, 'a review failed'], 'succeeded', LONG],
  'a review that failed, with problems': [
    [WRITTEN, 'a review failed'],
    'repair by a',
    { ...LONG, problems: 1 },
  ],
  'a review by a provider that is overloaded, with problems': [
    [WRITTEN, 'a review overloaded 0 after=7'],
    'repair by b',
    { ...LONG, problems: 1, remaining: 'b' },
  ],
  'a review that was cut off': [[WRITTEN, 'a review cut_off'], 'succeeded', LONG],
  'a review that was interrupted': [[WRITTEN, 'a review interrupted'], 'succeeded', LONG],
  'a review without a budget, with problems': [
    [WRITTEN, 'a review over_budget'],
    'succeeded',
    { ...LONG, problems: 1 },
  ],
  'repairs after a review': [
    [...REVIEWED, ...Array(2).fill('a repair succeeded 1')],
    'repair by a',
    { ...LONG, problems: 1 },
  ],
  'the last repair after a review': [
    [...REVIEWED, ...Array(3).fill('a repair succeeded 1')],
    'succeeded',
    { ...LONG, problems: 1 },
  ],
};

it('reviews a whole project once, if there is time and the provider sees the page', () => {
  const decided = Object.entries(REVIEWS).map(([name, [rows, , extra]]) => [name, follows(rows, extra)]);
  const expected = Object.entries(REVIEWS).map(([name, [, what]]) => [name, what]);
  expect(decided).toEqual(expected);
});
