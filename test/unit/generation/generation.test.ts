import { PROVIDER_NAMES } from '../../../lambda/contract/generate.ts';
import { providerOrder } from '../../../lambda/generation/generate.ts';
import { asOf, type Job } from '../../../lambda/generation/job.ts';
import { languageOf } from '../../../lambda/generation/language.ts';
import { failureOf, generateResponse } from '../../../lambda/generation/representation.ts';
import { waitForJob } from '../../../lambda/generation/wait.ts';

const job: Job = {
  ...{
    id: 'j',
    status: 'running',
    prompt: 'p'.repeat(250),
    model: 'auto',
    duration: 'auto',
    createdAt: 1_000,
  },
  ...{
    requestHash: '',
    step: 1,
    pass: 'write',
    provider: 'provider-a',
    remaining: [],
    failedLately: [],
    log: [],
  },
};
const attempt = {
  attempt: 1,
  provider: 'provider-b',
  model: 'provider-b/m',
  pass: 'write',
  startedAt: 1,
} as const;

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

it('for auto, providers that are cooling down come last; one that is asked for comes first all the same', () => {
  expect(providerOrder('auto', PROVIDER_NAMES, ['provider-a', 'provider-c'])).toEqual([
    ...['provider-b', 'provider-d', 'provider-a', 'provider-c'],
  ]);
  expect(providerOrder('provider-c', PROVIDER_NAMES, ['provider-c'])[0]).toBe('provider-c');
});

it('the response has exactly the fields of the contract, computed as it says', async () => {
  const file = {
    type: 'file',
    path: 'a.txt',
    language: 'plaintext',
    bytes: 11,
    characters: 11,
    key: 'k',
    attempt: 1,
  } as const;
  const done = {
    ...job,
    status: 'succeeded',
    finishedAt: 3_500,
    log: [{ type: 'attempt', ...attempt }, file, file],
  } as const;
  const contents = async (files: readonly object[]) =>
    files.map((stored) => ({ ...stored, content: 'hello world' }));
  expect(await generateResponse(done, { contents } as never)).toEqual({
    files: [{ path: 'a.txt', content: 'hello world', language: 'plaintext' }],
    tokensUsed: Math.ceil((250 + 11) / 4),
    duration: 2_500,
    model: 'provider-b/m',
    fileCount: 1,
    prompt: 'p'.repeat(200),
  });
});

it('tells a timeout of all from a failure of all, and names each attempt', () => {
  expect(failureOf({ ...job, status: 'timed_out' })).toMatchObject({
    status: 504,
    headers: { 'X-Generation-Id': 'j' },
  });
  const log = [{ type: 'attempt', ...attempt, outcome: 'overloaded', reason: 'too many requests' }] as const;
  const failed = failureOf({ ...job, status: 'failed', log });
  expect(failed).toMatchObject({ status: 503, headers: { 'X-Generation-Id': 'j', 'Retry-After': '5' } });
  expect(failed.message).toContain('provider-b: too many requests');
});

it('a job whose execution was lost ends with what there is', () => {
  const file = {
    type: 'file',
    path: 'a',
    language: '',
    bytes: 1,
    characters: 1,
    key: '',
    attempt: 1,
  } as const;
  const later = (minutes: number) => job.createdAt + minutes * 60_000;
  expect(asOf(job, later(119)).status).toBe('running');
  expect(asOf(job, later(120)).status).toBe('failed');
  expect(asOf({ ...job, log: [file] }, later(120))).toMatchObject({
    status: 'succeeded',
    problems: [expect.any(String)],
  });
  expect(asOf({ ...job, status: 'canceled' }, later(120)).status).toBe('canceled');
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
