import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newKey as unknownKey } from '../../../lambda/access/api-key.ts';
import { temporaryFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { newKey } from '../../support/cloud/keys.ts';
import { freePort } from '../../support/free-port.ts';
import { ptp, type RunOptions } from '../../support/ptp.ts';

const UNREACHABLE = `http://127.0.0.1:${await freePort()}`;

/** Started first, because it waits 7 s for its retries. */
const unreachable = ptp(['usage', '--url', UNREACHABLE], { env: { PTP_API_KEY: unknownKey().key } });
const home = temporaryFolder();
const key = await newKey();

/** Runs `ptp` with the suite's cloud and a key. */
const run = (args: readonly string[], { env, ...options }: RunOptions = {}) =>
  ptp(args, { cwd: home, env: { PTP_URL: cloud().baseUrl, PTP_API_KEY: key, ...env }, ...options });

/** Deploys two versions of a project. Without a key, returns the token too, and a folder with it. */
async function deployTwice(credentials: Record<string, string> = { 'x-api-key': key }) {
  const caller = newCaller();
  const projectId = `cli-${Math.random()}`;
  const files = (title: string) => [{ path: 'index.html', content: `<title>${title}</title>` }];
  const { json, headers } = await caller.post('/api/v1/deploy', { files: files('One'), projectId }, credentials);
  const token = headers['x-deployment-token'];
  const owner = { ...credentials, ...(token && { 'x-deployment-token': String(token) }) };
  await caller.post('/api/v1/deploy', { files: files('Two\u001b[31m'), projectId }, owner);
  const folder = mkdtempSync(join(home, 'site-'));
  const project = { url: cloud().baseUrl, projectId, id: json.id, token };
  writeFileSync(join(folder, '.ptp.json'), JSON.stringify(project));
  const page = async () => (await caller.send(`/d/${json.id}/`)).text;
  const versions = async (): Promise<string[]> => {
    const resource = await caller.send(`/api/v1/deployments/${json.id}`, { headers: owner });
    return resource.json.versions.map(({ version }: { version: string }) => version);
  };
  return { id: json.id as string, url: json.url as string, folder, page, versions };
}

describe('ptp login', () => {
  const env = () => ({ XDG_CONFIG_HOME: join(home, 'config'), PTP_API_KEY: '' });
  const file = () => join(home, 'config', 'ptp', 'credentials.json');

  it('saves a key from stdin after verifying it, and logout deletes it', async () => {
    const login = await run(['login', '--key', '-'], { env: env(), input: `${key}\n` });
    expect(login).toEqual({ code: 0, stdout: '', stderr: expect.stringContaining('Logged in to ') });
    expect(login.stderr).not.toContain(key);
    expect([statSync(file()).mode & 0o777, statSync(join(file(), '..')).mode & 0o777]).toEqual([0o600, 0o700]);
    expect((await run(['usage'], { env: env() })).stdout).toContain('\tgetUsage\t');
    const elsewhere = await run(['usage', '--url', UNREACHABLE], { env: env() });
    expect(elsewhere).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`No API key for ${UNREACHABLE}`),
    });

    const logout = await run(['logout'], { env: env() });
    expect(logout).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(file(), 'utf8')).not.toContain('ptp_');
    expect((await run(['usage'], { env: env() })).code).toBe(3);
  });

  it.each([
    ['unknown', unknownKey().key, 3, /^The API key .* Log in again with "ptp login"\n$/],
    ['mistyped', 'ptp_no', 2, /^This is not an API key: expected ptp_…\. Run "ptp login --help" for help\n$/],
    ['empty', '', 2, /^No key was given\. /],
  ])('rejects a key that is %s, and saves nothing', async (_, input, code, message) => {
    const folder = mkdtempSync(join(home, 'config-'));
    const rejected = await run(['login'], { env: { ...env(), XDG_CONFIG_HOME: folder }, input });
    expect(rejected).toEqual({ code, stdout: '', stderr: expect.stringMatching(message) });
    expect(() => statSync(join(folder, 'ptp'))).toThrow('ENOENT');
  });

  it('does not take the key from the command line', async () => {
    const { code, stderr } = await run(['login', '--key', key]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--key takes only "-"')]);
  });
});

describe('ptp rollback', () => {
  it('makes the version before the live one live, and shows it', async () => {
    const { id, url, page } = await deployTwice();
    const { code, stdout, stderr } = await run(['rollback', id]);
    expect([code, stdout]).toEqual([0, `${url}\n`]);
    expect(stderr).toMatch(/^Live again: version \S+, "One", 1 file, deployed \S+Z\n$/);
    expect(await page()).toContain('One');
    const again = await run(['rollback', url]);
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toContain('is the oldest one that is kept');
  });

  it('takes a version, of the deployment of the folder too, and prints JSON', async () => {
    const { id, folder, page, versions } = await deployTwice({});
    const [second = '', first = ''] = await versions();
    const env = { PTP_API_KEY: '' };
    const back = await run(['rollback', first, '--json'], { cwd: folder, env });
    expect(JSON.parse(back.stdout)).toMatchObject({ id, version: first, title: 'One' });
    const forth = await run(['rollback', id, second, '--quiet'], { cwd: folder, env });
    expect([forth.code, forth.stderr]).toEqual([0, '']);
    expect(await page()).toContain('Two');
  });

  it('explains what is not possible', async () => {
    const { id, folder } = await deployTwice({});
    expect(await run(['rollback', id])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^Deployment \S+ is not yours: use the key that deployed it, or the folder .*\n$/),
    });
    const unknown = await run(['rollback', id, 'no-such-ver'], { cwd: folder, env: { PTP_API_KEY: '' } });
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no version')]);
    const anonymous = await run(['rollback', id], { env: { PTP_API_KEY: '' } });
    expect([anonymous.code, anonymous.stderr]).toEqual([3, expect.stringContaining('No API key for ')]);
  });
});

describe('ptp open', () => {
  it('prints the URL where there is no display', async () => {
    const { url, folder } = await deployTwice();
    const { code, stdout, stderr } = await run(['open', folder]);
    expect([code, stdout, stderr]).toEqual([0, `${url}\n`, 'There is no display to open a browser on\n']);
  });

  it('opens it with the browser of the desktop', async () => {
    const { url, id } = await deployTwice();
    const bin = join(home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" > ${home}/opened\n`, { mode: 0o755 });
    const env = { DISPLAY: ':1', PATH: `${bin}:${process.env.PATH}` };
    const { code, stdout, stderr } = await run(['open', id, '--json'], { env });
    expect([code, JSON.parse(stdout), stderr]).toEqual([0, { id, url }, '']);
    // The browser is not waited for.
    while (!readable(join(home, 'opened'))) await new Promise(setImmediate);
    expect(readFileSync(join(home, 'opened'), 'utf8')).toBe(`${url}\n`);
  });
});

function readable(path: string): boolean {
  try {
    return readFileSync(path, 'utf8').endsWith('\n');
  } catch {
    return false;
  }
}

describe('ptp usage', () => {
  it('prints the usage of the key as tab-separated rows or as JSON', async () => {
    const json = await run(['usage', '--json', '--from', '2026-01-01', '--to', '2026-01-02']);
    expect(JSON.parse(json.stdout)).toMatchObject({ from: '2026-01-01', to: '2026-01-02', days: [] });
    expect([json.code, json.stderr]).toEqual([0, 'No calls from 2026-01-01 to 2026-01-02 (UTC)\n']);
    const table = await run(['usage']);
    expect(table.stdout).toMatch(/^\d{4}-\d\d-\d\d\t\w+\t\d+\t\d+\t\d+\t\d+\t\d+\t200:\d/m);
  });
});

describe('ptp views', () => {
  it('prints the days with views as tab-separated rows or as JSON, and says if there are none', async () => {
    const folder = join(home, 'viewed');
    mkdirSync(folder);
    writeFileSync(join(folder, 'index.html'), '<title>Viewed</title>');
    const url = (await run(['deploy', 'viewed'])).stdout.trim();
    const none = await run(['views', 'viewed']);
    expect([none.code, none.stdout, none.stderr]).toEqual([0, '', expect.stringMatching(/^No views, /)]);
    const browser =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
    await newCaller(url).send(`${new URL(url).pathname}/`, {
      headers: { accept: 'text/html', 'user-agent': browser },
    });
    let table = await run(['views', 'viewed']);
    // A visit waits for the write of its view for a moment only.
    while (table.stdout === '') table = await run(['views', 'viewed']);
    expect(table.stdout).toMatch(/^\d{4}-\d\d-\d\d\t1\t1\t0\n$/);
    expect(table.stderr).toMatch(/^1 view by 1 visitor, .* \(UTC\) {2}▁+█\n$/);
    const json = await run(['views', 'viewed', '--json', '--from', '2026-01-01', '--to', '2026-01-02']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      from: '2026-01-01',
      totals: { views: 0, visitors: 0, bots: 0 },
    });
    expect((await run(['views', 'zzzzzzzzzzzz'])).stderr).toContain('There is no deployment zzzzzzzzzzzz');
  });
});

describe('ptp assets upload', () => {
  it('uploads files with the type of their extension and prints their ids', async () => {
    for (const name of ['a.png', 'b.svg']) writeFileSync(join(home, name), name);
    const { code, stdout, stderr } = await run(['assets', 'upload', 'a.png', 'b.svg']);
    expect([code, stderr]).toEqual([0, '']);
    const ids = stdout.trimEnd().split('\n');
    const headers = { 'x-api-key': key };
    const assets = await Promise.all(
      ids.map((id) => newCaller().send(`/api/v1/assets/user-assets/${id}/`, { headers })),
    );
    expect(assets.map(({ json }) => [json.state, json.attributes])).toEqual([
      ['uploaded', { name: 'a.png', type: 'image/png', size: 5 }],
      ['uploaded', { name: 'b.svg', type: 'image/svg+xml', size: 5 }],
    ]);
    const avatar = await run(['assets', 'upload', 'a.png', '--json', '--entity-type', 'USER_AVATAR']);
    expect(JSON.parse(avatar.stdout)).toMatchObject([{ state: 'uploaded', entity_type: 'USER_AVATAR' }]);
  });

  it.each([
    [['nope.png'], 1, /^There is no file nope\.png\n$/],
    [['a.unknown'], 2, /^Unknown type of a\.unknown: name it with --type, such as --type image\/png\. /],
    [['.'], 2, /^Unknown type of \.: /],
    [['nope.png', '--type', 'a'], 1, /./],
    [[], 2, /^Missing required argument 'file'\. Run "ptp assets upload --help" for help\n$/],
  ])('explains why it cannot upload %j', async (args, code, message) => {
    const failed = await run(['assets', 'upload', ...args]);
    expect(failed).toEqual({ code, stdout: '', stderr: expect.stringMatching(message) });
  });
});

describe('a failure', () => {
  it('without a connection says so after the retries, with exit code 5', async () => {
    const { code, stdout, stderr } = await unreachable;
    expect([code, stdout]).toEqual([5, '']);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.slice(0, 3)).toEqual([1, 2, 4].map((s) => `The service is unreachable or busy: retrying in ${s} s`));
    expect(lines.slice(3)).toEqual([expect.stringMatching(/ECONNREFUSED.*\. Start the service, or name another/)]);
  });

  it('shows only the id of a key', async () => {
    const [, id = '', secret = ''] = key.split('_');
    const { stderr } = await run(['open', key]);
    expect(stderr).toContain(id);
    expect(stderr).not.toContain(secret);
  });
});
