import type { AttemptOutcome } from '../../../lambda/contract/responses/generate.ts';
import { failureOf } from '../../../lambda/generation/api/resource.ts';
import { pollUntil, storedBytes } from '../../../lambda/generation/api/routes.ts';
import { asOf } from '../../../lambda/generation/completeness.ts';
import type { Generation } from '../../../lambda/generation/generation.ts';
import { languageOf } from '../../../lambda/generation/language.ts';
import { aFile, aGeneration, anAttempt } from '../../support/a-generation.ts';
import { testRows } from '../../support/rows.ts';

const generation = aGeneration({ createdAt: 1_000, log: [] });

testRows([
  ['index.html', 'html'],
  ['src/app.mjs', 'javascript'],
  ['src/App.tsx', 'typescriptreact'],
  ['types.d.ts', 'typescript'],
  ['style.CSS', 'css'],
  ['Dockerfile', 'dockerfile'],
  ['logo.svg', 'svg'],
  ['.gitignore', 'plaintext'],
  ['no-extension', 'plaintext'],
])('labels files with their language', (path, language) => expect(languageOf(path)).toBe(language));

/** The error of a generation whose attempts ended so. */
function failure(status: Generation['status'], ...outcomes: AttemptOutcome[]) {
  const log = outcomes.map((outcome, i) => anAttempt(i + 1, { outcome, reason: `It ${outcome}` }));
  return failureOf({ ...generation, status, log }, 0);
}

testRows<[Generation['status'], AttemptOutcome[], status: number, retryAfter: string | undefined, words: string]>([
  ['timed_out', ['silent'], 504, undefined, 'timeout of every provider (provider-a: It silent)'],
  ['failed', ['overloaded'], 503, '5', '(provider-a: It overloaded); retry after a few seconds'],
  ['failed', ['refused', 'failed'], 503, '5', '(provider-a: It refused; provider-a: It failed); retry'],
  ['failed', [], 503, '5', 'The generation could not be started; retry after a few seconds'],
  // Providers that refused would refuse again.
  ['failed', ['refused'], 503, undefined, 'All generation providers failed (provider-a: It refused)'],
])('says how a generation failed, and whether to try again', (status, outcomes, code, retryAfter, words) => {
  const { message, headers, status: returned } = failure(status, ...outcomes);
  expect([returned, headers['Retry-After'], message]).toEqual([code, retryAfter, expect.stringContaining(words)]);
});

it('ends a generation whose execution was lost with the files it has', () => {
  const later = (minutes: number) => generation.createdAt + minutes * 60_000;
  expect(asOf(generation, later(179)).status).toBe('running');
  expect(asOf(generation, later(180)).status).toBe('failed');
  expect(asOf({ ...generation, log: [aFile('a')] }, later(180))).toMatchObject({
    status: 'incomplete',
    problems: [expect.any(String)],
  });
  expect(asOf({ ...generation, status: 'canceled' }, later(180)).status).toBe('canceled');
});

describe('pollUntil', () => {
  it('returns the first value, also after polls that cannot reach AWS', async () => {
    let polls = 0;
    const poll = async () => {
      if (++polls === 2) throw Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' });
      return polls < 4 ? undefined : 'over';
    };
    expect(await pollUntil(Date.now() + 10_000, poll, Date.now)).toBe('over');
    expect(polls).toBe(4);
  });

  it('throws any other error at once', async () => {
    const poll = jest.fn(() => Promise.reject(new Error('a bug')));
    await expect(pollUntil(Date.now() + 10_000, poll, Date.now)).rejects.toThrow('a bug');
    expect(poll).toHaveBeenCalledTimes(1);
  });
});

const project = { files: [{ path: 'index.html', content: '', size: 9_000 }] };
const images = [{ path: 'assets/me.png', content: Buffer.alloc(1_000) }];

testRows<[boolean, typeof project | undefined, typeof images, number]>([
  [false, undefined, [], 0],
  [false, project, images, 10_000],
  [true, undefined, [], 500_000],
  [true, project, images, 520_000],
])('counts the project and the images of a generation, again for its deploy', (isDeployed, parent, given, bytes) => {
  expect(storedBytes(parent, given, isDeployed)).toBe(bytes);
});
