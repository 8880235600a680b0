import { escapeHtml } from '../lambda/platform/html.ts';
import { alignedLines } from '../terminal/text.ts';
import { complaints, type Score, stepsHeld } from './score.ts';

const sum = (scores: readonly Score[], of: (score: Score) => number) =>
  scores.reduce((all, score) => all + of(score), 0);
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const stepsOf = (scores: readonly Score[]) => `${sum(scores, stepsHeld)}/${sum(scores, ({ steps }) => steps.length)}`;

/** Returns the table for a terminal, and below it what is wrong with the pages that did not pass. */
export function tableOf(scores: readonly Score[]): string {
  const header = [
    'prompt',
    '',
    'steps',
    'unbuilt',
    'blank',
    'errors',
    'origins',
    'broken',
    'axe',
    'first file ms',
    'last file ms',
    'live ms',
    'tokens',
    'tokens/s',
    'attempts',
  ];
  const kinds = ['unbuilt', 'blank', 'errors', 'origins', 'broken', 'axe'] as const;
  const rows = scores.map((score) => [
    score.id,
    score.passed ? '✓' : '✗',
    stepsOf([score]),
    ...kinds.map((kind) => score.findings[kind].length),
    score.firstFileMs,
    score.lastFileMs,
    score.liveMs,
    score.tokens,
    score.tokensPerSecond,
    score.attempts,
  ]);
  const made = scores.filter(({ failure }) => failure === undefined);
  const totals = [
    `${scores.filter(({ passed }) => passed).length} of ${scores.length} passed`,
    '',
    stepsOf(scores),
    ...kinds.map((kind) => sum(scores, ({ findings }) => findings[kind].length)),
    median(made.map(({ firstFileMs }) => firstFileMs)),
    median(made.map(({ lastFileMs }) => lastFileMs)),
    median(made.map(({ liveMs }) => liveMs)),
    sum(scores, ({ tokens }) => tokens),
    median(made.map(({ tokensPerSecond }) => tokensPerSecond)),
    sum(scores, ({ attempts }) => attempts),
  ];
  const wrong = scores.flatMap((score) => complaints(score).map((complaint) => `${score.id}: ${complaint}`));
  const table = alignedLines({ header, rows, totals });
  return `${[...table, '', claimLine(scores), ...(wrong.length > 0 ? ['', ...wrong] : [])].join('\n')}\n`;
}

/** Returns how often the service said that it succeeded, without a problem, and the visitor found one. */
function claimLine(scores: readonly Score[]): string {
  const claimed = scores.filter(({ isClaimed }) => isClaimed);
  const untrue = claimed.filter(({ passed }) => !passed).map(({ id }) => id);
  const which = untrue.length === 0 ? '' : `: ${untrue.join(', ')}`;
  return `"succeeded" without problems was not true for ${untrue.length} of ${claimed.length}${which}`;
}

const STYLE = `body{font:15px/1.45 system-ui,sans-serif;margin:2rem;background:#f4f3f0;color:#1d1c1a}
main{display:grid;gap:1.5rem;grid-template-columns:repeat(auto-fill,minmax(30rem,1fr))}
article{background:#fff;border-radius:10px;padding:1rem;box-shadow:0 1px 3px #0002}h2{font-size:1rem;margin:0}
.passed h2::before{content:"✓ ";color:#1a7f37}.failed h2::before{content:"✗ ";color:#b3261e}
.shots{display:flex;gap:.75rem;align-items:start}.shots img{border:1px solid #ccc;border-radius:6px;height:15rem;max-width:75%}
ul{padding-left:1.2rem;overflow-wrap:anywhere}li.held{color:#4d5a4d}li.wrong{color:#b3261e}p{margin:.3rem 0}`;

/** Returns the contact sheet: an HTML page with the screenshots, which are in the same folder. */
export function sheetOf(scores: readonly Score[], title: string): string {
  const cards = scores.map((score) => {
    const held = score.steps.filter(({ problem }) => problem === undefined).map(({ name }) => item('held', name));
    const wrong = complaints(score).map((complaint) => item('wrong', complaint));
    const shots = [390, 1280].map(
      (width) => `<img src="${score.id}/${width}.png" alt="At ${width} px" loading="lazy">`,
    );
    const facts = `${score.model}${score.matched === undefined ? '' : `, starter: ${score.matched ?? 'none'}`}`;
    return `<article class="${score.passed ? 'passed' : 'failed'}"><h2>${escapeHtml(score.id)}</h2>
<p>${escapeHtml(score.prompt)}</p><div class="shots">${score.failure === undefined ? shots.join('') : ''}</div>
<ul>${[...wrong, ...held].join('')}</ul>
<p>${escapeHtml(facts)}: first file ${score.firstFileMs} ms, last file ${score.lastFileMs} ms, live ${score.liveMs} ms</p>
<p>${score.tokens} tokens, ${score.tokensPerSecond} tokens/s, ${score.attempts} attempts</p></article>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style><h1>${escapeHtml(title)}</h1><main>${cards.join('\n')}</main></html>\n`;
}

const item = (name: string, text: string) => `<li class="${name}">${escapeHtml(text)}</li>`;
