import { LiveLine } from '../../../../cli/live-line.ts';
import { Progress } from '../../../../cli/ptp/progress.ts';
import { painter } from '../../../../cli/text.ts';
import type { GenerationEvent } from '../../../../client/client.ts';
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
  [46, attempt('provider-b/qwen3-coder', { kind: 'plan' })],
  [50, { type: 'plan', data: { files: [{}, {}, {}] } }],
  [50, attempt('provider-b/qwen3-coder', { kind: 'plan', outcome: 'succeeded' })],
  [51, attempt('provider-b/qwen3-coder')],
  [60, file('index.html', 4_198)],
  [65, file('src/日本語/a-rather-long-name-of-a-component.js', 12_595)],
  [70, file('evil\u001b[2J\u202egnp.js', 9)],
] as unknown as readonly (readonly [number, GenerationEvent])[];

/** Plays the story in a terminal, and returns what it shows after each event. */
function frames(columns: number, story = STORY): string[] {
  const [screen, progress, shown] = [new Screen(columns), new Progress(painter(true), 0), [] as string[]];
  let now = 0;
  const output = { columns, isTTY: true, write: (text: string) => screen.write(text) };
  const live = new LiveLine(output, (width) => progress.status(now, width));
  for (const [seconds, event] of story) {
    now = seconds * 1_000;
    live.print(progress.lines(event, now, live.columns));
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
  it.each([80, 40])('is redrawn in one line below what happened, in %i columns', (columns) => {
    expect(frames(columns).join('\n--------\n')).toMatchSnapshot();
  });

  it.each([40, 60, 80, 120, 200])('never wraps its status and its files in %i columns', (columns) => {
    const rows = frames(columns).at(-1)?.split('\n') ?? [];
    expect(rows.filter((row) => row.startsWith('  '))).toHaveLength(columns === 40 ? 4 : 3);
    for (const frame of frames(columns))
      expect(frame.split('\n').every((row) => row.length < columns)).toBe(true);
  });

  it('leaves nothing behind when the terminal becomes narrower', () => {
    const [screen, output] = [new Screen(40), { columns: 80, isTTY: true, write: (_: string) => {} }];
    output.write = (text) => screen.write(text);
    const live = new LiveLine(output, (width) => '='.repeat(width));
    output.columns = 40;
    live.refresh();
    expect(screen.text).toBe('='.repeat(39));
    live.print(['done']);
    expect(screen.text).toBe(`done\n${'='.repeat(39)}`);
    live.stop();
    expect(screen.text).toBe('done');
  });

  it('is one line for a failure and one for its fallback in a log', () => {
    const progress = new Progress(painter(false), 0);
    expect(STORY.flatMap(([seconds, event]) => progress.logLine(event, seconds) ?? [])).toEqual([
      'provider-a/claude-sonnet-5-5: The provider sent no token within 45 s',
      'Continuing with provider-b/qwen3-coder',
    ]);
  });
});
