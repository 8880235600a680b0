import { failureOf, generateResponse } from '../../../lambda/generation/api/resource.ts';
import { pollUntil } from '../../../lambda/generation/api/routes.ts';
import { asOf } from '../../../lambda/generation/completeness.ts';
import type { Generation } from '../../../lambda/generation/generation.ts';
import { languageOf } from '../../../lambda/generation/language.ts';
import { testRows } from '../../support/rows.ts';

const generation: Generation = {
  id: 'j',
  status: 'running',
  prompt: 'p'.repeat(250),
  model: 'auto',
  duration: 'auto',
  createdAt: 1_000,

  requestHash: '',
  attempt: 1,
  execution: 'j-1',
  kind: 'write',
  provider: 'provider-a',
  remaining: [],
  failedLately: [],
  log: [],
};
const attempt = {
  attempt: 1,
  provider: 'provider-b',
  model: 'provider-b/m',
  kind: 'write',
  startedAt: 1,
} as const;

testRows([
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
])('labels files with their language', (path, language) => expect(languageOf(path)).toBe(language));

it('responds with exactly the fields of the contract', async () => {
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
    ...generation,
    status: 'succeeded',
    finishedAt: 3_500,
    log: [{ type: 'attempt', ...attempt }, file, file],
  } as const;
  const contents = async (files: readonly object[]) =>
    files.map((stored) => ({ ...stored, content: 'hello world' }));
  expect(await generateResponse(done, { contents } as never, 0)).toEqual({
    files: [{ path: 'a.txt', content: 'hello world', language: 'plaintext' }],
    tokensUsed: Math.ceil((250 + 11) / 4),
    duration: 2_500,
    model: 'provider-b/m',
    fileCount: 1,
    prompt: 'p'.repeat(200),
  });
});

it('distinguishes a timeout of all providers from a failure, and names each attempt', () => {
  expect(failureOf({ ...generation, status: 'timed_out' }, 0).status).toBe(504);
  const log = [{ type: 'attempt', ...attempt, outcome: 'overloaded', reason: 'too many requests' }] as const;
  const failed = failureOf({ ...generation, status: 'failed', log }, 0);
  expect(failed).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  expect(failed.message).toContain('provider-b: too many requests');
});

it('ends a generation whose execution was lost with the files it has', () => {
  const file = {
    type: 'file',
    path: 'a',
    language: '',
    bytes: 1,
    characters: 1,
    key: '',
    attempt: 1,
  } as const;
  const later = (minutes: number) => generation.createdAt + minutes * 60_000;
  expect(asOf(generation, later(179)).status).toBe('running');
  expect(asOf(generation, later(180)).status).toBe('failed');
  expect(asOf({ ...generation, log: [file] }, later(180))).toMatchObject({
    status: 'incomplete',
    problems: [expect.any(String)],
  });
  expect(asOf({ ...generation, status: 'canceled' }, later(180)).status).toBe('canceled');
});

describe('pollUntil', () => {
  const lost = Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' });

  it('returns the first value', async () => {
    let polls = 0;
    expect(
      await pollUntil(Date.now() + 10_000, async () => (++polls < 3 ? undefined : 'over'), Date.now),
    ).toBe('over');
    expect(polls).toBe(3);
  });

  it('returns undefined at the deadline', async () => {
    expect(await pollUntil(Date.now() + 150, async () => undefined, Date.now)).toBeUndefined();
  });

  it('retries a poll that cannot reach AWS', async () => {
    let polls = 0;
    const poll = async () => {
      if (++polls < 3) throw lost;
      return 'over';
    };
    expect(await pollUntil(Date.now() + 10_000, poll, Date.now)).toBe('over');
  });

  it('throws the last error if AWS is unreachable at the deadline', async () => {
    await expect(pollUntil(Date.now() + 150, () => Promise.reject(lost), Date.now)).rejects.toBe(lost);
  });

  it('throws any other error at once', async () => {
    let polls = 0;
    const poll = async () => {
      polls++;
      throw new Error('a bug');
    };
    await expect(pollUntil(Date.now() + 10_000, poll, Date.now)).rejects.toThrow('a bug');
    expect(polls).toBe(1);
  });
});
