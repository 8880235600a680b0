import { PROVIDER_NAMES } from '../../../lambda/contract/generate.ts';
import { providerOrder } from '../../../lambda/generation/generate.ts';
import type { Job } from '../../../lambda/generation/job.ts';
import { languageOf } from '../../../lambda/generation/language.ts';
import { failureOf, generateResponse } from '../../../lambda/generation/representation.ts';
import { waitForJob } from '../../../lambda/generation/wait.ts';

const job: Job = {
  id: 'j',
  status: 'running',
  prompt: 'p'.repeat(250),
  model: 'auto',
  duration: 'auto',
  createdAt: 1_000,
  attempts: [],
};

it.each([
  ['auto', PROVIDER_NAMES, ['provider-a', 'provider-b', 'provider-c', 'provider-d']],
  ['provider-c', PROVIDER_NAMES, ['provider-c', 'provider-a', 'provider-b', 'provider-d']],
  ['provider-d', ['provider-a', 'provider-b'], ['provider-a', 'provider-b']],
  ['provider-b', ['provider-b', 'provider-a'], ['provider-b', 'provider-a']],
  ['auto', ['provider-b', 'provider-a'], ['provider-a', 'provider-b']],
] as const)('for %s of %j the order is %j', (model, configured, order) => {
  expect(providerOrder(model, configured)).toEqual(order);
});

it.each([
  ['index.html', 'html'],
  ['src/app.js', 'javascript'],
  ['src/app.mjs', 'javascript'],
  ['src/App.tsx', 'typescriptreact'],
  ['src/App.jsx', 'javascriptreact'],
  ['types.d.ts', 'typescript'],
  ['style.CSS', 'css'],
  ['package.json', 'json'],
  ['README.md', 'markdown'],
  ['main.py', 'python'],
  ['run.sh', 'shellscript'],
  ['Dockerfile', 'dockerfile'],
  ['Makefile', 'makefile'],
  ['logo.svg', 'svg'],
  ['a/b.yml', 'yaml'],
  ['main.go', 'go'],
  ['main.rs', 'rust'],
  ['.gitignore', 'plaintext'],
  ['notes.txt', 'plaintext'],
  ['no-extension', 'plaintext'],
])('%s is %s', (path, language) => expect(languageOf(path)).toBe(language));

it('the response has exactly the fields of the contract, computed as it says', () => {
  const result = {
    model: 'provider-a/blueprint',
    run: 'r',
    fileCount: 1,
    outputCharacters: 11,
    finishedAt: 3_500,
  };
  const files = [{ path: 'a.txt', content: 'hello world', language: 'plaintext' }];
  expect(generateResponse(job, result, files)).toEqual({
    files,
    tokensUsed: Math.ceil((250 + 11) / 4),
    duration: 2_500,
    model: 'provider-a/blueprint',
    fileCount: 1,
    prompt: 'p'.repeat(200),
  });
});

it('tells a timeout of all from a failure of all, and names each attempt', () => {
  const attempt = {
    provider: 'provider-b',
    startedAt: 1,
    ms: 2,
    outcome: 'failed',
    reason: 'overloaded',
  } as const;
  expect(failureOf({ ...job, status: 'timed_out' })).toMatchObject({
    status: 504,
    headers: { 'X-Generation-Id': 'j' },
  });
  const failed = failureOf({ ...job, status: 'failed', attempts: [attempt] });
  expect(failed).toMatchObject({ status: 503, headers: { 'X-Generation-Id': 'j', 'Retry-After': '5' } });
  expect(failed.message).toContain('provider-b: overloaded');
});

describe('waiting', () => {
  it('ends with the job', async () => {
    let polls = 0;
    const find = async () => (++polls < 3 ? job : { ...job, status: 'failed' as const });
    expect(await waitForJob('j', Date.now() + 10_000, { find, clock: Date.now })).toMatchObject({
      status: 'failed',
    });
    expect(polls).toBe(3);
  });

  it('ends at the deadline with an undecided job', async () => {
    const find = async () => job;
    expect(await waitForJob('j', Date.now() + 150, { find, clock: Date.now })).toMatchObject({
      status: 'running',
    });
  });

  it('ends at once for a job that is not there', async () => {
    const find = async () => undefined;
    expect(await waitForJob('j', Date.now() + 10_000, { find, clock: Date.now })).toBeUndefined();
  });
});
