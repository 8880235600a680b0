import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROMPTS } from '../../evaluate/prompts/index.ts';
import type { Prompt } from '../../evaluate/prompts/visitor.ts';
import { sheetOf, tableOf } from '../../evaluate/report.ts';
import { evaluate } from '../../evaluate/run.ts';
import { complaints, failureOf, type Score } from '../../evaluate/score.ts';
import { temporaryFolder } from '../support/at-end.ts';
import { browser } from './browser.ts';
import { answerWith, sharedOrigin } from './clouds.ts';

/** Answers written as models write them, replayed over a vendor's protocol, by the id of their prompt. */
const TRANSCRIPTS = ['tictactoe', 'expenses-es', 'kernel-driver'] as const;
const EMBEDDED = ['todo', 'snake', 'api', 'guestbook', 'registration'];

const transcript = (id: string) => readFileSync(new URL(`transcripts/${id}.txt`, import.meta.url), 'utf8');
const promptOf = (id: string) => {
  const prompt = PROMPTS.find((one) => one.id === id);
  if (!prompt) throw new Error(`no prompt has the id ${id}`);
  return prompt;
};

const folder = temporaryFolder();
const cloud = await sharedOrigin();
/** The next answer of the model. */
let answer = '';
beforeAll(() => answerWith(() => [{ text: answer }, { finish: 'complete' }]));

const score = (prompt: Prompt, model = 'provider-a'): Promise<Score> =>
  evaluate(prompt, { baseUrl: cloud.baseUrl, model }, browser, join(folder, prompt.id));

const scoreOfAnswer = (prompt: Prompt, text: string) => {
  answer = text;
  return score(prompt, 'provider-d');
};

describe('the evaluation', () => {
  it.each(EMBEDDED)('passes the embedded provider for %s', async (id) => {
    const scored = await score(promptOf(id));
    expect(complaints(scored)).toEqual([]);
    expect(scored).toMatchObject({ passed: true, model: 'provider-a/blueprint', attempts: 1 });
    expect(scored.firstFileMs).toBeGreaterThan(0);
    expect(scored.lastFileMs).toBeGreaterThanOrEqual(scored.firstFileMs);
    expect(scored.liveMs).toBeGreaterThan(scored.lastFileMs);
  });

  it.each(TRANSCRIPTS)('passes the transcript of an answer for %s', async (id) => {
    const scored = await scoreOfAnswer(promptOf(id), transcript(id));
    expect(complaints(scored)).toEqual([]);
    expect(scored).toMatchObject({ passed: true, model: 'provider-d/m' });
  });

  const END = '</main>';
  const FINDINGS: readonly [string, from: string, to: () => string, complaint: RegExp][] = [
    [
      'an exception',
      'let running = true;',
      () => 'let running = true; queueMicrotask(() => null.x);',
      /^errors: script\.js:13:47: Uncaught .*null/,
    ],
    [
      'a console error',
      'let running = true;',
      () => 'let running = true; console.error("broken");',
      /^errors: script\.js:13:29: Console: broken$/,
    ],
    [
      'a missing file',
      END,
      () => '<img src="logo.png" alt="Logo"></main>',
      /^broken: index\.html:26:1: logo\.png does not exist$/,
    ],
    [
      'a link to a missing page',
      END,
      () => '<a href="rules.html" style="color: white">Rules</a></main>',
      /^broken: index\.html:26: rules\.html does not exist, after a press of "Rules"$/,
    ],
    [
      'a request to another origin',
      END,
      () => `<img src="http://127.0.0.1:9/x.png" alt="Logo"></main>`,
      /^origins: http:.*\/x\.png$/,
    ],
    [
      'an axe violation',
      END,
      () => '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></main>',
      /^axe: Images must have alternative text: /,
    ],
    [
      'a page that is wider than the screen',
      END,
      () => '<pre style="width: 500px">.</pre></main>',
      /^blank: The page scrolls sideways on a phone/,
    ],
  ];
  it.each(FINDINGS)('finds %s', async (_, from, to, complaint) => {
    const text = transcript('tictactoe');
    expect(text).toContain(from);
    const scored = await scoreOfAnswer({ ...promptOf('tictactoe'), steps: {} }, text.replace(from, to));
    expect(scored.passed).toBe(false);
    expect(complaints(scored)).toEqual([expect.stringMatching(complaint)]);
  });

  it.each([
    ['a rule that is wrong', '[3, 4, 5]', '[3, 4, 8]', /^step: three in a row wins: .*is not seen$/],
    ['a control that is missing', 'Restart Game', 'Leave', /^step: it is played again: nothing to press is named /],
  ])('finds %s by a step', async (_, from, to, complaint) => {
    const scored = await scoreOfAnswer(promptOf('tictactoe'), transcript('tictactoe').replace(from, to));
    expect(scored.passed).toBe(false);
    expect(complaints(scored)).toEqual([expect.stringMatching(complaint)]);
  });

  it('finds an empty page', async () => {
    const prompt = { ...promptOf('tictactoe'), steps: {} };
    const scored = await scoreOfAnswer(prompt, '<file path="index.html">\n<!doctype html>\n</file>\n<done/>\n');
    expect(scored.findings.blank).toContain('The page shows nothing');
  });

  it('fails a provider if another one answered instead', async () => {
    const scored = await scoreOfAnswer(promptOf('tictactoe'), 'I cannot help with that.');
    expect(scored.passed).toBe(false);
    expect(scored.failure).toMatch(/^provider-d did not answer: /);
  });
});

describe('the reports', () => {
  const failed = failureOf(promptOf('todo'), 'All providers <failed>');

  it('list what is wrong below a table', () => {
    expect(tableOf([failed])).toMatch(
      /^todo\s+✗\s+0\/3 .*[\s\S]*0 of 1 passed[\s\S]*^todo: no page: All providers <failed>$/m,
    );
  });

  it('escape what models wrote', () => {
    expect(sheetOf([failed], 'a & b')).toContain('All providers &#60;failed&#62;');
  });
});
