import type { Duration, ProviderName } from '../../../../lambda/contract/generate.ts';
import type { AttemptKind, AttemptOutcome } from '../../../../lambda/contract/responses/generate.ts';
import { type Check, decide, followUp, type Situation } from '../../../../lambda/generation/attempt/decide.ts';
import type { Quality } from '../../../../lambda/generation/attempt/quality.ts';
import type { Attempt, GenerationEvent } from '../../../../lambda/generation/generation.ts';
import { aGeneration } from '../../../support/a-generation.ts';

const NOW = 1_000_000;
const ROUND_MS = 117_000;

/**
 * An attempt: its provider, kind, outcome and number of new files; `plan` if its answer had the plan, `half` if it ended
 * inside a file, `rejected` if the end of the first such file was rejected, `unacceptable` if the provider rejected the request itself, `same` if it ran at the same time as the one before it, `after=7` if the provider asked to wait.
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
  /** What is known; by default, what a check found out. */
  readonly known?: 'ended' | 'died' | 'over';
  /** Numbers of flaws before the last repair or review, and now. */
  readonly flaws?: readonly [was: number, is: number];
}

function eventsOf(row: Row, attempt: number, planned: number, first: number, startedAt: number): GenerationEvent[] {
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
    ...(marks.includes('unacceptable') ? { isUnacceptable: true } : {}),
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

const quality = (flaws: number): Quality => ({
  isWhole: true,
  flaws: Array.from({ length: flaws }, (_, i) => `flaw ${i}`),
  missing: [],
  unbuilt: [],
  seen: undefined,
  isUnseen: false,
});

/** Returns what follows attempts, such as `write by a`, with the seconds before it. */
function follows(rows: readonly Row[], extra: Extra = {}): string {
  const { duration = 'auto', remaining = '', age = 0, problems = 0, plan = 0, sees = '', known, flaws } = extra;
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
  const generation = aGeneration({
    duration,
    createdAt,
    attempt: round,
    kind: last.kind,
    provider: last.provider,
    log,
    remaining: Array.from(remaining, (letter) => `provider-${letter}` as ProviderName),
  });
  const check: Check = {
    is: quality(flaws?.[1] ?? problems),
    was: flaws && quality(flaws[0]),
    problems,
    canReview: (name) => sees.includes(name.slice(-1)),
  };
  const situation: Situation = known === undefined ? { state: 'checked', check } : { state: known };
  const decision = decide(generation, situation, NOW, ROUND_MS);
  if (decision.do === 'check') return decision.whole ? 'check it, built and opened' : 'check it';
  if (decision.do === 'drop') return decision.reason;
  if (decision.do === 'fail') return 'fail';
  const { next } = decision;
  if (next.status !== 'running') return next.status;
  const wait = next.waitSeconds > 0 ? ` in ${next.waitSeconds} s` : '';
  return `${next.kind} by ${next.provider.at(-1)}${wait}`;
}

const CUT = 'a write cut_off 2';
const WRITTEN = 'a write succeeded 3';

const CASES: Readonly<Record<string, readonly [rows: readonly Row[], expected: string, extra?: Extra]>> = {
  'a whole project': [[WRITTEN], 'succeeded', { remaining: 'b' }],
  'a project with problems': [[WRITTEN], 'repair by a', { remaining: 'b', problems: 2 }],
  'a repair that failed': [[WRITTEN, 'a repair overloaded'], 'succeeded', { remaining: 'b', problems: 2 }],
  'a repair that was cut off': [[WRITTEN, 'a repair cut_off 0 half'], 'repair by a', { problems: 2 }],
  'an answer that was cut off': [[CUT], 'write by a', { remaining: 'b' }],
  'an answer that was cut off inside its only file': [['a write cut_off 0 half'], 'write by a', { remaining: 'b' }],
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
  'a rejected key in such a continuation': [[CUT, 'a write credentials'], 'incomplete'],
  'a request that the provider rejects in such a continuation': [[CUT, 'a write failed 0 unacceptable'], 'incomplete'],
  'two such failures': [[CUT, 'a write failed', 'a write failed'], 'incomplete'],
  'such failures with progress between them': [[CUT, 'a write failed', CUT, 'a write failed'], 'write by a'],
  'a failure': [['a write failed'], 'write by b', { remaining: 'bc' }],
  'an answer without a file': [['a write unusable'], 'write by b', { remaining: 'b' }],
  'an answer without a file of the last provider': [['a write failed', 'b write unusable'], 'write by b'],
  'another one, after a reminder': [['a write unusable', 'a write unusable'], 'failed'],
  'an answer that only repeats its files': [[CUT, 'a write unusable 1', 'a write unusable 1'], 'incomplete'],
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
  'two interruptions in a row': [['a write interrupted', 'a write interrupted'], 'write by b', { remaining: 'b' }],
  'nothing but interruptions': [['a write interrupted', 'a write interrupted'], 'failed'],
  'an interrupted repair': [[WRITTEN, 'a repair interrupted'], 'repair by a', { remaining: 'b' }],
  'a part of the plan': [['a write succeeded 2 plan'], 'write by a', { plan: 4 }],
  'a part of the plan and a failure': [
    ['a write succeeded 2 plan', 'a write credentials'],
    'write by b',
    { plan: 4, remaining: 'b' },
  ],
  'a part of the plan and rejected requests for the rest': [
    ['a write succeeded 2 plan', 'a write failed 0 unacceptable same', 'a write failed 0 unacceptable same'],
    'incomplete',
    { plan: 4 },
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

const REPAIR = 'a repair succeeded 1';

/** As often as the duration allows. */
const REPAIRS: typeof CASES = {
  'one repair in auto': [[WRITTEN, REPAIR], 'succeeded', { problems: 1 }],
  'one repair in 5min': [[WRITTEN, REPAIR], 'repair by a', { problems: 1, duration: '5min' }],
  'two repairs in 5min': [[WRITTEN, REPAIR, REPAIR], 'succeeded', { problems: 1, duration: '5min' }],
  'two repairs in 10min': [[WRITTEN, REPAIR, REPAIR], 'repair by a', { problems: 1, duration: '10min' }],
  'three repairs in 10min': [[WRITTEN, REPAIR, REPAIR, REPAIR], 'succeeded', { problems: 1, duration: '10min' }],
};

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
  'less time than a review and a repair take': [[WRITTEN], 'repair by a', { ...LONG, problems: 1, age: 560_000 }],
  'a review that changes nothing': [REVIEWED, 'succeeded', { ...LONG, remaining: 'b' }],
  'a review that changes nothing, with problems': [REVIEWED, 'repair by a', { ...LONG, problems: 1, remaining: 'b' }],
  'a repair that failed': [[WRITTEN, 'a repair failed'], 'succeeded', { ...LONG, problems: 1 }],
  'a review with changes': [[WRITTEN, 'a review succeeded 1'], 'succeeded', LONG],
  'a review with changes that left problems': [
    [WRITTEN, 'a review succeeded 1'],
    'repair by a',
    { ...LONG, problems: 1 },
  ],
  'a review that failed': [[WRITTEN, 'a review failed'], 'succeeded', LONG],
  'a review that failed, with problems': [[WRITTEN, 'a review failed'], 'repair by a', { ...LONG, problems: 1 }],
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

/** What is done before anything follows. */
const STEPS: typeof CASES = {
  'a whole project that is not checked': [[WRITTEN], 'check it, built and opened', { known: 'ended' }],
  'a part of a project': [['a write cut_off 2'], 'check it', { known: 'ended' }],
  'a repair that changes nothing': [[WRITTEN, 'a repair succeeded 0'], 'check it', { known: 'ended' }],
  'a repair that is cut off, and judged when it is over': [
    [WRITTEN, 'a repair cut_off 0 half'],
    'repair by a',
    { known: 'ended', duration: '10min' },
  ],
  'a repair that is cut off when the time is over': [
    [WRITTEN, 'a repair cut_off 1'],
    'check it, built and opened',
    { known: 'ended', age: 345_000 },
  ],
  'a review that is cut off': [[WRITTEN, 'a review cut_off'], 'check it', { known: 'ended', ...LONG }],
  'a round without a file': [['a write failed'], 'fail', { known: 'ended', remaining: 'b' }],
  'a round with a plan alone': [['a write cut_off 0 plan'], 'check it', { known: 'ended', plan: 2 }],
  'a repair that failed': [[WRITTEN, 'a repair overloaded'], 'check it', { known: 'ended' }],
  'a repair that corrects a problem': [[WRITTEN, REPAIR], 'succeeded', { flaws: [2, 1] }],
  'a repair that corrects nothing': [[WRITTEN, REPAIR], 'Dropped: it corrected nothing', { flaws: [2, 2] }],
  'a repair that adds a problem': [
    [WRITTEN, REPAIR],
    'Dropped: the project had more problems than before, such as flaw 1',
    { flaws: [1, 2] },
  ],
  'a review that corrects nothing': [[WRITTEN, 'a review succeeded 1'], 'succeeded', { flaws: [2, 2] }],
  'a review that adds a problem': [
    [WRITTEN, 'a review succeeded 1'],
    'Dropped: the project had more problems than before, such as flaw 1',
    { flaws: [1, 2] },
  ],
  'a repair without a project before it': [
    ['a write cut_off 0 half', 'a write succeeded 0 rejected', REPAIR],
    'incomplete',
    { flaws: [1, 2] },
  ],
  'a repair whose function died': [[WRITTEN, 'a repair interrupted 1'], 'repair by a', { known: 'died' }],
  'a repair whose provider hung': [[WRITTEN, 'a repair silent 1'], 'Dropped: it ended early', { known: 'died' }],
  'a repair that hung without a change': [[WRITTEN, 'a repair silent'], 'succeeded', { known: 'died' }],
  'an attempt whose function died': [['a write interrupted 2'], 'write by a', { known: 'died' }],
  'an execution that died': [['a write interrupted 2'], 'incomplete', { known: 'over' }],
  'an execution that died without a file': [['a write interrupted'], 'failed', { known: 'over' }],
  'an execution that died in a repair': [
    [WRITTEN, 'a repair interrupted 1'],
    'Dropped: it ended early',
    { known: 'over' },
  ],
};

test.each([
  ['after a check', CASES],
  ['repairs, as often as the duration allows', REPAIRS],
  ['a review of a whole project, once, if there is time and the provider sees the page', REVIEWS],
  ['a check or the end of a repair first', STEPS],
])('decides %s', (_name, cases) => {
  const decided = Object.entries(cases).map(([name, [rows, , extra]]) => [name, follows(rows, extra)]);
  const expected = Object.entries(cases).map(([name, [, what]]) => [name, what]);
  expect(decided).toEqual(expected);
});

/** The end of an attempt for a group, the providers that are left, and how often it failed; then when what is left is queued. */
const GROUPS: readonly (readonly [ended: Partial<Attempt>, providers: string, failures: number, expected: string])[] = [
  [{ outcome: 'cut_off', files: 1 }, 'ab', 1, 'next by a,b, 0 failures'],
  [
    { outcome: 'silent', unfinished: { path: 'a', edits: false, key: '', attempt: 1 } },
    'a',
    2,
    'next by a, 0 failures',
  ],
  [{ outcome: 'failed' }, 'ab', 0, 'last by b, 1 failures'],
  [{ outcome: 'overloaded' }, 'a', 1, 'after another by a, 2 failures'],
  [{ outcome: 'failed' }, 'ab', 2, 'decided with the round'],
  [{ outcome: 'failed', isUnacceptable: true }, 'ab', 0, 'last by b, 1 failures'],
  [{ outcome: 'failed', isUnacceptable: true }, 'a', 0, 'decided with the round'],
  [{ outcome: 'succeeded', files: 0 }, 'ab', 0, 'decided with the round'],
  [{ outcome: 'interrupted', files: 1 }, 'ab', 0, 'decided with the round'],
];

test('decides how a round goes on with a group', () => {
  const follow = (ended: Partial<Attempt>, letters: string, failures: number) => {
    const names = Array.from(letters, (letter) => `provider-${letter}` as ProviderName);
    const providers = names as [ProviderName, ...ProviderName[]];
    const queued = { task: { kind: 'write', group: 2, files: [] }, providers, failures } as const;
    const next = followUp(queued, ended as Attempt);
    if (next === undefined) return 'decided with the round';
    const by = next.queued.providers.map((name) => name.at(-1)).join();
    return `${next.when} by ${by}, ${next.queued.failures} failures`;
  };
  expect(GROUPS.map(([ended, letters, failures]) => follow(ended, letters, failures))).toEqual(
    GROUPS.map(([, , , expected]) => expected),
  );
  const whole = {
    task: { kind: 'write', group: undefined, files: [] },
    providers: ['provider-a'],
    failures: 0,
  } as const;
  expect(followUp(whole, { outcome: 'cut_off', files: 1 } as Attempt)).toBeUndefined();
});
