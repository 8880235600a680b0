import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../support/at-end.ts';
import { ptp } from '../../support/ptp.ts';
import { serve } from '../../support/serve.ts';

const KEY = `ptp_abcdefghijkl_${'0'.repeat(48)}_12345678`;

/** Runs a script in bash, where `ptp` is the command under test. */
async function bash(script: string): Promise<string> {
  const define = `ptp() { '${process.execPath}' '${resolve('bin/ptp.js')}' "$@"; }`;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', `${define}\n${script}`]);
  return stdout;
}

it('completes commands, options and words in bash', async () => {
  const lines = {
    roll: 'rollback',
    lo: 'look login logout',
    'assets ': 'upload',
    'list --g': '--generations',
    'completion ': 'bash zsh fish',
    'help ex': 'exit-codes',
    // Files are bash's own business.
    'assets upload x': '',
  };
  const script = `eval "$(ptp completion bash)"
    complete -p ptp
    offer() { COMP_WORDS=(ptp "$@"); COMP_CWORD=$#; COMPREPLY=(); _ptp; echo "\${COMPREPLY[*]}"; }
    ${Object.keys(lines)
      .map(
        (line) =>
          `offer ${line
            .split(' ')
            .map((word) => `'${word}'`)
            .join(' ')}`,
      )
      .join('\n')}`;
  const [complete, ...offered] = (await bash(script)).trimEnd().split('\n');
  expect(complete).toMatch(/-F _ptp ptp$/);
  expect([...offered, '']).toEqual(Object.values(lines));
});

it.each(['zsh', 'fish'])('prints a script for %s that asks ptp', async (shell) => {
  const { code, stdout } = await ptp(['completion', shell]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('ptp complete -- ')]);
});

it('documents the exit codes', async () => {
  const { stdout } = await ptp(['help', 'exit-codes']);
  const codes = stdout
    .trimEnd()
    .split('\n')
    .map((line) => Number.parseInt(line, 10));
  expect(codes).toEqual([0, 1, 2, 3, 4, 5, 130]);
});

it.each(['stdout', 'stderr'])('ends quietly when nobody reads %s', async (stream) => {
  const command = stream === 'stdout' ? 'ptp --help' : 'ptp lst 2>&1 >&3 3>&-';
  const script = `exec 3>/dev/null; { { ${command}; echo "code $?" >&4; } | true; } 4>&1 2>&1`;
  expect(await bash(script)).toMatch(stream === 'stdout' ? /^code 0\n$/ : /^code 2\n$/);
});

const folder = temporaryFolder();
it('says that it is not built after npm ci --ignore-scripts', async () => {
  mkdirSync(join(folder, 'bin'));
  copyFileSync('bin/ptp.js', join(folder, 'bin', 'ptp.js'));
  const script = join(folder, 'bin', 'ptp.js');
  expect(await ptp([], { script })).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^ptp is not built: run "npm run prepare".*\n$/),
  });
});

describe('ptp list', () => {
  /** Serves a list of 45 deployments in pages, as the API does. */
  const deployments = Array.from({ length: 45 }, (_, i) => ({
    id: `id${i}`,
    url: `http://service/d/id${i}`,
    title: `Page\t${i}\u001b[31m\n`,
    fileCount: i,
    deployedAt: 1_795_000_000_000 - i,
    access: 'public',
    status: i === 4 ? 'taken_down' : 'live',
  }));
  const asked: string[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://service');
    asked.push(`${headers.authorization} ${headers['user-agent']} ${pathname}`);
    const from = Number(searchParams.get('cursor') ?? 0);
    const to = from + Number(searchParams.get('limit'));
    const items = pathname.endsWith('deployments') ? deployments : [];
    const nextCursor = to < items.length ? String(to) : null;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ items: items.slice(from, to), nextCursor }));
  });
  const served = serve(server);
  afterAll(async () => (await served).close());
  const list = async (...args: string[]) =>
    ptp(['list', ...args], { env: { PTP_URL: (await served).url, PTP_API_KEY: KEY } });

  it('prints the newest deployments as rows without control characters, and says that there are more', async () => {
    const { code, stdout, stderr } = await list();
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((row) => row.split('\t'));
    expect([code, rows.length, stderr]).toEqual([0, 20, 'There are more: add --limit 100\n']);
    expect(rows.slice(3, 5)).toEqual([
      ['http://service/d/id3', '2026-11-18T11:06:39Z', 'never', 'public', 'Page 3 [31m'],
      ['http://service/d/id4', '2026-11-18T11:06:39Z', 'never', 'public', '[taken down] Page 4 [31m'],
    ]);
    expect(asked).toContainEqual(expect.stringMatching(`^Bearer ${KEY} ptp/\\S+ /api/v1/deployments$`));
  });

  it('prints all of them as one JSON document', async () => {
    const { stdout, stderr } = await list('--json', '--limit', '45');
    expect([JSON.parse(stdout), stderr]).toEqual([deployments, '']);
  });

  it.each([
    ['--generations', 'generations'],
    ['--assets', 'assets'],
  ])('%s lists %s', async (option, what) => {
    const { code, stdout, stderr } = await list(option);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(new RegExp(`^No ${what} at http://127.0.0.1:\\d+\n$`));
  });
});
