import type { Duration, ProviderName } from '../../../lambda/contract/generate.ts';
import type {
  Attempt,
  AttemptKind,
  Generation,
  GenerationEvent,
  Outcome,
} from '../../../lambda/generation/generation.ts';
import { firstKind, nextAttempt } from '../../../lambda/generation/next-attempt.ts';

const NOW = 1_000_000;

type Ended = [provider: string, kind: AttemptKind, outcome: Outcome, files?: number];

/** A generation after these attempts; each wrote the given number of new files. */
function generation(
  attempts: Ended[],
  extra: { duration?: Duration; plan?: number; remaining?: string[]; age?: number } = {},
) {
  let written = 0;
  const log = attempts.flatMap(([letter, kind, outcome, files = 0], i): GenerationEvent[] => {
    const attempt = i + 1;
    const provider = `provider-${letter}` as ProviderName;
    const stored = Array.from({ length: files }, (): GenerationEvent => {
      const path = kind === 'repair' ? 'file-0' : `file-${written++}`;
      return { type: 'file', path, language: 'html', bytes: 1, characters: 1, key: '', attempt };
    });
    const plan = Array.from({ length: extra.plan ?? 0 }, (_, n) => ({ path: `file-${n}`, purpose: '' }));
    const planned: GenerationEvent[] =
      kind === 'plan' && outcome === 'succeeded' ? [{ type: 'plan', files: plan }] : [];
    const ended: GenerationEvent = {
      type: 'attempt',
      attempt,
      provider,
      model: '',
      kind,
      startedAt: 0,
      outcome,
      files,
    };
    return [...stored, ...planned, ended];
  });
  const last = log.findLast((event) => event.type === 'attempt') as Attempt;
  const state: Generation = {
    ...{ id: 'j', status: 'running', prompt: '', model: 'auto', requestHash: '', failedLately: [] },
    ...{
      duration: extra.duration ?? 'auto',
      createdAt: NOW - (extra.age ?? 0),
      attempt: attempts.length,
      execution: 'j-1',
    },
    ...{ kind: last.kind, provider: last.provider, log },
    remaining: (extra.remaining ?? []).map((letter) => `provider-${letter}` as ProviderName),
  };
  return { state, last };
}

const follows = (attempts: Ended[], extra: Parameters<typeof generation>[1] = {}, problems = 0) => {
  const { state, last } = generation(attempts, extra);
  const next = nextAttempt(state, last, problems, NOW);
  return next.status === 'running' ? `${next.kind} by ${next.provider.at(-1)}` : next.status;
};

it('starts with a plan if there is time for one', () => {
  expect(['auto', '5min', '10min'].map((duration) => firstKind(duration as Duration))).toEqual([
    'write',
    'plan',
    'plan',
  ]);
});

describe('auto', () => {
  it.each<[string, Ended[], string[], number, string]>([
    ['a whole project', [['a', 'write', 'succeeded', 3]], ['b'], 0, 'succeeded'],
    ['a project with problems', [['a', 'write', 'succeeded', 3]], ['b'], 2, 'repair by a'],
    [
      'one repair, even if problems remain',
      [
        ['a', 'write', 'succeeded', 3],
        ['a', 'repair', 'succeeded', 1],
      ],
      ['b'],
      2,
      'succeeded',
    ],
    [
      'a repair that failed',
      [
        ['a', 'write', 'succeeded', 3],
        ['a', 'repair', 'overloaded'],
      ],
      ['b'],
      0,
      'succeeded',
    ],
    ['an answer that was cut off', [['a', 'write', 'cut_off', 2]], ['b'], 0, 'write by a'],
    ['a stall after some files', [['a', 'write', 'silent', 2]], ['b'], 0, 'write by b'],
    ['a reset after some files', [['a', 'write', 'failed', 2]], ['b'], 0, 'write by b'],
    ['a stall of the last provider after some files', [['a', 'write', 'silent', 2]], [], 0, 'incomplete'],
    [
      'three answers that were cut off',
      [
        ['a', 'write', 'cut_off', 2],
        ['a', 'write', 'cut_off', 2],
        ['a', 'write', 'cut_off', 2],
      ],
      ['b'],
      0,
      'incomplete',
    ],
    ['a failure', [['a', 'write', 'failed']], ['b', 'c'], 0, 'write by b'],
    ['an answer cut off before its first file', [['a', 'write', 'unusable']], ['b'], 0, 'write by b'],
    [
      'the last failure',
      [
        ['a', 'write', 'failed'],
        ['b', 'write', 'timed_out'],
      ],
      [],
      0,
      'failed',
    ],
    [
      'nothing but timeouts',
      [
        ['a', 'write', 'silent'],
        ['b', 'write', 'timed_out'],
      ],
      [],
      0,
      'timed_out',
    ],
    [
      'a continuation without files',
      [
        ['a', 'write', 'cut_off', 2],
        ['a', 'write', 'unusable'],
      ],
      ['b'],
      0,
      'write by b',
    ],
    [
      'a continuation without files by the last provider',
      [
        ['a', 'write', 'cut_off', 2],
        ['a', 'write', 'unusable'],
      ],
      [],
      0,
      'incomplete',
    ],
    ['an interruption', [['a', 'write', 'interrupted']], ['b'], 0, 'write by a'],
    ['an interruption after some files', [['a', 'write', 'interrupted', 2]], ['b'], 0, 'write by a'],
    [
      'two interruptions in a row',
      [
        ['a', 'write', 'interrupted', 2],
        ['a', 'write', 'interrupted', 2],
      ],
      ['b'],
      0,
      'write by b',
    ],
    [
      'interruptions of two providers',
      [
        ['a', 'write', 'interrupted'],
        ['a', 'write', 'interrupted'],
        ['b', 'write', 'interrupted'],
      ],
      [],
      0,
      'write by b',
    ],
    [
      'nothing but interruptions',
      [
        ['a', 'write', 'interrupted'],
        ['a', 'write', 'interrupted'],
      ],
      [],
      0,
      'failed',
    ],
    [
      'an interrupted repair',
      [
        ['a', 'write', 'succeeded', 2],
        ['a', 'repair', 'interrupted'],
      ],
      ['b'],
      0,
      'repair by a',
    ],
  ])('decides what follows %s', (_, attempts, remaining, problems, expected) => {
    expect(follows(attempts, { remaining }, problems)).toBe(expected);
  });
});

describe('5min', () => {
  const plan: Ended = ['a', 'plan', 'succeeded'];
  it.each<[string, Ended[], number, string]>([
    ['a plan', [plan], 0, 'write by a'],
    ['a plan that failed', [['a', 'plan', 'overloaded']], 0, 'plan by b'],
    ['an answer without a plan', [['a', 'plan', 'unusable']], 0, 'write by a'],
    ['a part of the plan', [plan, ['a', 'write', 'succeeded', 2]], 0, 'write by a'],
    [
      'a part of the plan and a failure',
      [plan, ['a', 'write', 'succeeded', 2], ['a', 'write', 'credentials']],
      0,
      'write by b',
    ],
    ['the whole plan', [plan, ['a', 'write', 'succeeded', 4]], 0, 'succeeded'],
    ['the whole plan, with problems', [plan, ['a', 'write', 'succeeded', 4]], 1, 'repair by a'],
    [
      'a repair that left problems',
      [plan, ['a', 'write', 'succeeded', 4], ['a', 'repair', 'succeeded', 1]],
      1,
      'repair by a',
    ],
    ['an interrupted plan', [['a', 'plan', 'interrupted']], 0, 'plan by a'],
    ['an interruption after the whole plan', [plan, ['a', 'write', 'interrupted', 4]], 0, 'succeeded'],
    ['files instead of a plan', [['a', 'plan', 'succeeded', 3]], 0, 'write by a'],
  ])('decides what follows %s', (_, attempts, problems, expected) => {
    expect(follows(attempts, { duration: '5min', plan: 4, remaining: ['b'] }, problems)).toBe(expected);
  });

  it('starts no attempt after its budget, and delivers the files it has', () => {
    const attempts: Ended[] = [plan, ['a', 'write', 'succeeded', 2]];
    const options = { duration: '5min', plan: 4, remaining: ['b'] } as const;
    expect(follows(attempts, { ...options, remaining: ['b'], age: 299_999 })).toBe('write by a');
    expect(follows(attempts, { ...options, remaining: ['b'], age: 300_000 })).toBe('succeeded');
    expect(follows([plan], { ...options, remaining: ['b'], age: 300_000 })).toBe('failed');
  });
});
