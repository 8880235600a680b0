import type { GenerationResource } from '../../../client/client.ts';
import { PROMPTS } from '../../../evaluate/prompts/index.ts';
import type { Prompt } from '../../../evaluate/prompts/visitor.ts';
import { sheetOf, tableOf } from '../../../evaluate/report.ts';
import { failureOf, type TimedGeneration, tokensPerSecond } from '../../../evaluate/score.ts';
import { namesSource } from '../../../lambda/generation/attempt/draft.ts';
import { testRows } from '../../support/rows.ts';

const attempts = (...ones: [startedAt: number, ms: number | undefined, tokens: number | undefined][]) =>
  ones.map(([startedAt, ms, tokens]) => ({
    startedAt,
    ms,
    tokens,
  })) as unknown as GenerationResource['attempts'];

testRows([
  ['one attempt', attempts([1_000, 2_000, 300]), 150],
  ['attempts at the same time', attempts([1_000, 2_000, 300], [1_500, 1_500, 300]), 300],
  ['attempts with a pause between them', attempts([0, 1_000, 100], [3_000, 1_000, 300]), 100],
  ['an attempt that did not end', attempts([0, 1_000, 100], [500, undefined, undefined]), 100],
  ['no attempt', attempts(), 0],
])('counts the tokens per second', (_, given, expected) => {
  expect(tokensPerSecond(given)).toBe(expected);
});

it('reports the times of files and the pace, with their medians', () => {
  const [prompt] = PROMPTS as readonly [Prompt];
  const { failure: _, ...score } = failureOf(prompt, '');
  const times = { firstFileMs: 1_100, lastFileMs: 9_200, liveMs: 9_900, tokens: 7_000 };
  const scores = [
    { ...score, ...times, tokensPerSecond: 80 },
    { ...score, ...times, lastFileMs: 19_200, tokensPerSecond: 210 },
    { ...score, ...times, lastFileMs: 12_200, tokensPerSecond: 90 },
  ];
  const [header, first, ...rest] = tableOf(scores).split('\n');
  expect(header).toMatch(/first file ms {2}last file ms {2}live ms {2}tokens {2}tokens\/s {2}attempts$/);
  expect(first).toMatch(/1,100 +9,200 +9,900 +7,000 +80 +0$/);
  expect(rest).toContainEqual(expect.stringMatching(/^0 of 3 passed .*1,100 +12,200 +9,900 +21,000 +90 +0$/));
  expect(sheetOf(scores, 'a')).toContain('last file 19200 ms, live 9900 ms</p>\n<p>7000 tokens, 210 tokens/s');
});

it('counts projects that do not build', () => {
  const [prompt] = PROMPTS as readonly [Prompt];
  const message = 'src/App.tsx:1:10: "Github" is not exported by lucide-react 1.75.0';
  const generated = { generation: { status: 'succeeded' } } as TimedGeneration;
  const scores = [
    failureOf(prompt, message, generated, true),
    failureOf(prompt, 'The vendor is down'),
    failureOf(prompt, message, generated, true),
  ];
  const [header, ...lines] = tableOf(scores).split('\n');
  expect(header).toMatch(/steps {2}unbuilt {2}blank/);
  expect(lines[0]).toMatch(/^\S+ +✗ +0\/\d+ +1 +0 /);
  expect(lines).toContainEqual(expect.stringMatching(/^0 of 3 passed +0\/\d+ +2 +0 /));
  expect(lines).toContain(`${prompt.id}: unbuilt: ${message}`);
  expect(lines).toContain(`"succeeded" without problems was not true for 2 of 2: ${prompt.id}, ${prompt.id}`);
});

it('names a framework in three of its prompts, which the service recognizes', () => {
  const prompts = PROMPTS.filter(({ category }) => category === 'frameworks');
  expect(prompts).toHaveLength(3);
  expect(prompts.filter(({ text }) => !namesSource(text)).map(({ text }) => text)).toEqual([]);
  const others = PROMPTS.filter(({ category, text }) => category !== 'frameworks' && namesSource(text));
  expect(others.map(({ text }) => text)).toEqual([]);
  expect(new Set(PROMPTS.map(({ id }) => id)).size).toBe(PROMPTS.length);
});
