import { Progress } from '../../../../cli/ptp/progress.ts';
import type { GenerationEvent } from '../../../../client/client.ts';
import { LiveLines } from '../../../../terminal/live-lines.ts';
import { painter } from '../../../../terminal/text.ts';
import { testRows } from '../../../support/rows.ts';
import { Screen } from '../../../support/screen.ts';

const attempt = (model: string, more = {}) => ({
  type: 'attempt',
  data: { attempt: 1, provider: 'provider-a', model, kind: 'write', startedAt: 0, ...more },
});
const file = (path: string, bytes: number) => ({
  type: 'file',
  data: { path, bytes, language: 'html', content: '' },
});

/** Seconds and events: one provider fails, the next one writes a plan and its files. */
const STORY = [
  [0, { type: 'queued', data: { at: 0 } }],
  [1, attempt('provider-a/claude-sonnet-5-5')],
  [
    46,
    attempt('provider-a/claude-sonnet-5-5', {
      outcome: 'silent',
      reason: 'The provider sent no token within 45 s',
    }),
  ],
  [46, attempt('provider-b/qwen3-coder', { attempt: 2 })],
  [50, { type: 'plan', data: { files: [{}, {}, {}] } }],
  [60, file('index.html', 4_198)],
  [65, file('src/日本語/a-rather-long-name-of-a-component.js', 12_595)],
  [70, file('evil\u001b[2J\u202egnp.js', 9)],
] as unknown as readonly (readonly [number, GenerationEvent])[];

const written = (...files: [path: string, characters: number][]) => ({
  type: 'writing',
  data: { files: files.map(([path, characters], i) => ({ path, characters, attempt: i + 1 })) },
});
const MODEL = 'provider-a/claude-sonnet-5-5';
const REASON = 'The provider is overloaded';

/** A plan with groups, which several attempts write: one is cut off and continued, one is left to another provider. */
const GROUPS = [
  [1, attempt(MODEL)],
  [3, { type: 'plan', data: { files: Array(12).fill({}) } }],
  [3, attempt(MODEL, { attempt: 2, group: 2 })],
  [3, attempt(MODEL, { attempt: 3, group: 3 })],
  [4, attempt(MODEL, { attempt: 3, group: 3, outcome: 'overloaded', reason: REASON })],
  [4, attempt(MODEL, { attempt: 4, group: 4, outcome: 'overloaded', reason: REASON })],
  [5, attempt('provider-b/qwen3-coder', { attempt: 5, group: 3 })],
  [6, written(['index.html', 2_100], ['src/app.js', 900], ['src/日本語/a-rather-long-name-of-a-part.js', 12])],
  [9, written(['index.html', 4_000], ['src/app.js', 12_700], ['evil\u001b[2J\u202e.js', 3_000])],
  [10, file('index.html', 4_198)],
  [11, attempt(MODEL, { attempt: 2, group: 2, outcome: 'cut_off', reason: 'The answer was cut off' })],
  [11, attempt(MODEL, { attempt: 6, group: 2 })],
  [70, file('src/app.js', 21_000)],
  [71, attempt(MODEL, { attempt: 1, group: 1, outcome: 'unusable', reason: 'The answer has no files' })],
] as unknown as typeof STORY;

const ERROR = {
  kind: 'error',
  message: 'Uncaught TypeError: x is\u001b[2J null',
  path: 'src/app.js',
  line: 12,
};
const look = (number: number, more: object) => ({ type: 'look', data: { attempt: number, ...more } });

/** A browser finds an error, a repair makes it worse and is dropped, and the next one is kept. */
const LOOKS = [
  [1, attempt(MODEL)],
  [5, file('index.html', 4_198)],
  [6, attempt(MODEL, { outcome: 'succeeded' })],
  [6, look(1, { state: 'looking' })],
  [9, look(1, { state: 'looked', problems: [ERROR] })],
  [10, attempt(MODEL, { attempt: 2, kind: 'repair' })],
  [12, look(2, { state: 'looking' })],
  [15, look(2, { state: 'looked', problems: [ERROR, { ...ERROR, width: 390 }] })],
  [
    15,
    attempt(MODEL, {
      attempt: 2,
      kind: 'repair',
      outcome: 'succeeded',
      dropped: true,
      reason: 'It has 2 problems instead of 1',
    }),
  ],
  [16, attempt(MODEL, { attempt: 3, kind: 'review' })],
  [20, look(3, { state: 'looked', problems: [] })],
] as unknown as typeof STORY;

/** Plays the story in a terminal, and returns what it shows after each event. */
function frames(columns: number, story = STORY): string[] {
  const [screen, progress, shown] = [new Screen(columns), new Progress(painter(true), 0), [] as string[]];
  let now = 0;
  const output = { columns, isTTY: true, write: (text: string) => screen.write(text) };
  const live = new LiveLines(output, (width) => progress.status(now, width));
  for (const [seconds, event] of story) {
    now = seconds * 1_000;
    live.print(progress.lines(event, live.columns));
    now += 1_000;
    live.refresh();
    shown.push(screen.text);
  }
  live.stop();
  shown.push(screen.text);
  expect(screen.cursorVisible).toBe(true);
  return shown;
}

describe('the progress of a generation', () => {
  it.each([80, 40])('is redrawn below what happened, in %i columns', (columns) => {
    expect(frames(columns).join('\n--------\n')).toMatchSnapshot();
  });

  testRows([40, 60, 80, 120, 200])('never wraps its status and its files', (columns) => {
    const rows = frames(columns).at(-1)?.split('\n') ?? [];
    expect(rows.filter((row) => row.startsWith('  '))).toHaveLength(columns === 40 ? 4 : 3);
    for (const frame of frames(columns)) expect(frame.split('\n').every((row) => row.length < columns)).toBe(true);
  });

  it.each([80, 40])('shows each file that is being written, in %i columns', (columns) => {
    const [shown, lines] = [frames(columns, GROUPS), Array(8).fill(['a.js', 1]) as [string, number][]];
    expect(shown.join('\n--------\n')).toMatchSnapshot();
    for (const frame of shown) expect(frame.split('\n').every((row) => row.length < columns)).toBe(true);
    const many = frames(columns, [...GROUPS.slice(0, 1), [2, written(...lines)]] as unknown as typeof STORY);
    expect(many[1]?.split('\n').slice(5)).toEqual([
      expect.stringMatching(/^⋯ a.js {2,}1 B$/),
      '⋯ and 3 more',
      expect.stringContaining('Writing'),
    ]);
    expect(many.at(-1)).toBe(MODEL);
  });

  it.each([80, 40])('shows what a browser sees, in %i columns', (columns) => {
    const shown = frames(columns, LOOKS);
    expect(shown.join('\n--------\n')).toMatchSnapshot();
    for (const frame of shown) expect(frame.split('\n').every((row) => row.length < columns)).toBe(true);
  });

  it('fits a low terminal', () => {
    const [screen, output] = [new Screen(40), { columns: 40, rows: 3, write: (_: string) => {} }];
    output.write = (text) => screen.write(text);
    const live = new LiveLines(output, () => ['1', '2', '3', '4']);
    expect(screen.text).toBe('3\n4');
    live.stop();
    expect(screen.text).toBe('');
  });

  it('leaves nothing behind when the terminal becomes narrower', () => {
    const [screen, output] = [new Screen(40), { columns: 80, isTTY: true, write: (_: string) => {} }];
    output.write = (text) => screen.write(text);
    const live = new LiveLines(output, (width) => ['-', '='.repeat(width)]);
    output.columns = 40;
    live.refresh();
    expect(screen.text).toBe(`-\n${'='.repeat(39)}`);
    live.print(['done']);
    expect(screen.text).toBe(`done\n-\n${'='.repeat(39)}`);
    live.stop();
    expect(screen.text).toBe('done');
  });

  it('is one line for a failure and one for its fallback in a log', () => {
    const progress = new Progress(painter(false), 0);
    expect(STORY.flatMap(([, event]) => progress.logLine(event) ?? [])).toEqual([
      'provider-a/claude-sonnet-5-5: The provider sent no token within 45 s',
      'Continuing with provider-b/qwen3-coder',
    ]);
    const parallel = new Progress(painter(false), 0);
    expect(GROUPS.flatMap(([, event]) => parallel.logLine(event) ?? [])).toEqual([
      `${MODEL}: ${REASON}`,
      'Continuing with provider-b/qwen3-coder',
      `${MODEL}: The answer has no files`,
    ]);
    const looks = new Progress(painter(false), 0);
    const skipped = look(4, { state: 'skipped', reason: 'No browser' }) as unknown as GenerationEvent;
    expect([...LOOKS.map(([, event]) => event), skipped].flatMap((event) => looks.logLine(event) ?? [])).toEqual([
      'Looked at it: 1 problem: src/app.js:12: Uncaught TypeError: x is [2J null',
      'Looked at it: 2 problems, first src/app.js:12: Uncaught TypeError: x is [2J null',
      'Changes dropped: It has 2 problems instead of 1',
    ]);
  });
});
