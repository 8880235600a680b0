import type { Client, GenerationEvent, Look, LookProblem } from '../../../client/client.ts';
import { generationResult, progressOf } from '../../../lambda/mcp/generations.ts';
import { foundBy, lookSentence, otherProblems, picturesOf, waitForLook } from '../../../lambda/mcp/looks.ts';
import type { Call } from '../../../lambda/mcp/tool.ts';
import { testRows } from '../../support/rows.ts';

describe('looks', () => {
  const ERROR: LookProblem = {
    kind: 'error',
    message: 'Uncaught TypeError: x is null',
    path: 'a.js',
    line: 3,
  };
  const WIDE: LookProblem = { kind: 'wide', message: 'The page scrolls sideways', width: 390 };
  const SCREENSHOTS = { 390: 'https://ptp.example/390', 1280: 'https://ptp.example/1280' };
  const looked = (...problems: LookProblem[]): Look => ({
    state: 'looked',
    problems,
    screenshots: SCREENSHOTS,
  });
  const { signal } = new AbortController();

  testRows<[Look, string, string]>([
    [looked(), 'no problems', 'A browser looked at it and found no problems.'],
    [looked(WIDE), '1 problem: The page scrolls sideways (at 390 px)', 'A browser looked at it and found 1 problem.'],
    [
      looked({ ...ERROR, blocking: true }, WIDE),
      '2 problems, first a.js:3: Uncaught TypeError: x is null',
      'A browser looked at it and found 2 problems: the page shows nothing, or fails while it loads.',
    ],
    [{ state: 'skipped', reason: 'No browser' }, 'no problems', 'No browser looked at it: No browser.'],
    [{ state: 'failed', reason: 'Busy' }, 'no problems', 'The browser could not look at it: Busy.'],
  ])('describes a look in a few words', (look, words, sentence) => {
    expect([foundBy(look), lookSentence(look)]).toEqual([words, sentence]);
  });

  it('says once what the problems of a generation repeat', () => {
    const problems = ['a.css is missing.', 'a.js:3: Uncaught TypeError: x is null.'];
    expect(otherProblems(problems, looked(ERROR))).toEqual(['a.css is missing.']);
    expect(otherProblems(problems, undefined)).toEqual(problems);
  });

  it('waits for the look at the version that was deployed, as long as it may', async () => {
    const looking = { state: 'looking' } as const;
    const states: Look[] = [looking, looking, looked()];
    let calls = 0;
    const get = async () => ({
      version: 'later',
      versions: [
        { version: 'later', look: { state: 'failed' } },
        { version: 'mine', look: states[calls++] },
      ],
    });
    const client = { deployments: { get } } as unknown as Client;
    const wait = { version: 'mine', signal };
    expect(await waitForLook(client, 'd', { ...wait, waitMs: 60_000 })).toEqual(looked());
    expect(calls).toBe(3);
    calls = 0;
    expect(await waitForLook(client, 'd', { ...wait, waitMs: 0 })).toEqual(looking);
    expect(calls).toBe(1);
  });

  describe('the pictures of a result', () => {
    const bytes = (length: number) => async () => new Uint8Array(length);

    it('are those of a desktop and of a phone, as far as there is room', async () => {
      const sizes = async (of: Record<number, number>) => {
        const read = (width: number) => bytes(of[width] ?? 0)();
        return (await picturesOf(looked(), read, signal)).map(({ length }) => length);
      };
      expect(await sizes({ 1280: 400_000, 390: 200_000 })).toEqual([400_000, 200_000]);
      expect(await sizes({ 1280: 600_000, 390: 200_000 })).toEqual([600_000]);
      expect(await sizes({ 1280: 2_000_000, 390: 200_000 })).toEqual([200_000]);
    });

    it('are left out if they cannot be read, and are not asked for if there are none', async () => {
      const fails = async () => Promise.reject(new Error('gone'));
      expect(await picturesOf(looked(), fails, signal)).toEqual([]);
      const never = () => Promise.reject(new Error('asked'));
      expect(await picturesOf({ state: 'skipped', reason: '' }, never, signal)).toEqual([]);
      expect(await picturesOf(undefined, never, signal)).toEqual([]);
    });

    it('come with a generation, but not with its files', async () => {
      const generation = {
        id: 'g',
        status: 'succeeded',
        files: [],
        attempts: [],
        look: looked(ERROR),
      } as never;
      const call = { client: { screenshot: bytes(10) }, signal } as unknown as Call;
      const { text, images } = await generationResult(generation, call);
      expect(images).toHaveLength(2);
      expect(text?.[1]).toMatch(/^What the browser found.*:\na\.js:3: Uncaught TypeError: x is null$/);
      expect((await generationResult(generation, call, [])).images).toBeUndefined();
    });
  });
});

describe('progress', () => {
  const event = (type: string, data: object) => ({ id: 1, type, data }) as unknown as GenerationEvent;
  const attempt = (number: number, more = {}) =>
    event('attempt', { attempt: number, model: 'provider-a/m', kind: 'write', startedAt: 1, ...more });
  const writing = (...paths: string[]) =>
    event('writing', { files: paths.map((path) => ({ path, characters: 1, attempt: 1 })) });

  it('describes attempts that run at the same time once', () => {
    const progress = progressOf();
    const events = [
      event('queued', { at: 1 }),
      attempt(1),
      writing('a'),
      event('plan', { files: [{}, {}, {}] }),
      attempt(2, { group: 2 }),
      attempt(2, { group: 2, outcome: 'cut_off' }),
      attempt(3, { group: 2 }),
      writing('a', 'b'),
      writing('a', 'b'),
      event('file', { path: 'a' }),
      writing('b'),
      writing(),
      attempt(4, { model: 'provider-b/m' }),
      event('look', { attempt: 4, state: 'skipped', reason: 'No browser' }),
      event('look', { attempt: 4, state: 'looking' }),
      event('look', {
        attempt: 4,
        state: 'looked',
        problems: [{ kind: 'blank', message: 'Nothing is shown' }],
      }),
    ];
    expect(events.flatMap((one) => progress(one) ?? [])).toEqual([
      'provider-a/m began',
      '1 file is being written; 0 complete',
      '3 files are planned',
      '2 files are being written; 0 of 3 complete',
      'a is complete',
      '1 file is being written; 1 of 3 complete',
      'provider-b/m began',
      'A browser is looking at it',
      'A browser looked at it and found 1 problem',
    ]);
  });
});
