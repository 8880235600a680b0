import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { emptyFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { newKey } from '../../support/cloud/keys.ts';
import { recordingProxy } from '../../support/cloud/recording-proxy.ts';
import { ptp, terminal } from '../../support/ptp.ts';

const [CTRL_C, DOWN] = ['\u0003', '\u001b[B'];

const cwd = emptyFolder();
const key = await newKey();

const env = (more: Record<string, string> = {}) => ({ PTP_URL: cloud().baseUrl, PTP_API_KEY: key, ...more });
const deploy = (...args: string[]) => ptp(['deploy', ...args], { cwd, env: env() });
const page = async (url: string, path = '') => (await newCaller().send(`${new URL(url.trim()).pathname}/${path}`)).text;
const record = () => JSON.parse(readFileSync(join(cwd, '.ptp.json'), 'utf8'));

function plant(files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  }
}

const BUILD = JSON.stringify({ scripts: { build: 'mkdir -p dist && cp page.html dist/index.html' } });

describe('ptp deploy', () => {
  it('publishes a build folder, with bytes as they are and without source maps and secrets', async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]);
    plant({ 'package.json': BUILD, 'index.html': 'source', '.gitignore': 'dist\n', '.env': 'SECRET=1' });
    plant({
      'dist/index.html': '<title>Built</title>',
      'dist/a.png': png,
      'dist/app.js.map': '{}',
      'dist/.env.local': 'x',
    });
    const { code, stdout, stderr } = await deploy();
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^http\S+\/d\/[0-9a-z]{12}\n$/),
    });
    expect(stderr.split('\n')).toEqual([
      'Left out .env.local: may have secrets',
      'Left out 1 source map: --source-maps includes them',
      expect.stringMatching(/^✓ Deployed \.\/dist: 2 files, 26 B \([\d.]+ s\)$/),
      '',
    ]);
    expect(await page(stdout)).toBe('<title>Built</title>');
    expect((await newCaller().send(`${new URL(stdout.trim()).pathname}/a.png`)).bytes).toEqual(png);
    expect(existsSync(join(cwd, 'dist/.ptp.json'))).toBe(false);
    expect(statSync(join(cwd, '.ptp.json')).mode & 0o777).toBe(0o600);
  });

  it('sends a changed file only, to the same URL', async () => {
    using wire = await recordingProxy();
    const text = (n: number) => randomBytes(n / 2).toString('hex');
    plant(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`file-${i}.txt`, text(20_000)])));
    plant({ 'index.html': '<title>One</title>' });
    const run = (...args: string[]) => ptp(['deploy', ...args], { cwd, env: env({ PTP_URL: wire.url }) });
    const first = await run();
    expect(first).toMatchObject({ code: 0 });
    const whole = wire.sent().length;
    plant({ 'file-7.txt': text(20_000) });
    const second = await run();
    expect(second).toMatchObject({ code: 0, stdout: first.stdout });
    expect(second.stderr).toContain('41 files, 781 KB, 1 changed');
    // Random hexadecimal digits halve with gzip: that file, 40 hashes and the headers.
    expect(wire.sent().length - whole).toBeLessThan(20_000 * 0.6 + 40 * 64);
    expect(whole).toBeGreaterThan(390_000);
    expect(await page(first.stdout, 'file-7.txt')).toBe(readFileSync(join(cwd, 'file-7.txt'), 'utf8'));
  });

  it('keeps the token of a deployment without a key, out of git', async () => {
    plant({ '.git/HEAD': '', 'index.html': 'one', '.gitignore': 'tmp' });
    const anonymous = { cwd, env: { PTP_URL: cloud().baseUrl } };
    const first = await ptp(['deploy', '--json'], anonymous);
    expect(first.stderr).toContain('Added .ptp.json to .gitignore, because it has the token of the deployment');
    expect(readFileSync(join(cwd, '.gitignore'), 'utf8')).toBe('tmp\n.ptp.json\n');
    const { token } = record();
    expect(token).toMatch(/^ptd_/);
    expect(first.stdout + first.stderr).not.toContain(token);
    const { id, url, created, changed } = JSON.parse(first.stdout);
    expect({ created, changed }).toEqual({ created: true, changed: 1 });
    plant({ 'index.html': 'two' });
    // With a key, the same projectId would be another deployment.
    const second = await deploy();
    expect(second).toMatchObject({ code: 0, stdout: `${url}\n` });
    expect(second.stderr).toContain('Deploying without the API key, as at first');
    expect(second.stderr).not.toContain('.gitignore');
    expect(await page(url)).toBe('two');
    const owned = await deploy('--new');
    expect(owned.stdout).not.toContain(id);
    expect(record()).toMatchObject({ owner: 'key', others: [{ id, token }] });
    expect(record().token).toBeUndefined();
    const without = await ptp(['deploy'], anonymous);
    expect(without).toMatchObject({ code: 3, stdout: '' });
    expect(without.stderr).toContain('No API key for ');
  });

  it('does not deploy over what was deployed elsewhere, unless forced', async () => {
    plant({ 'index.html': 'one' });
    const { stdout } = await deploy('--project', `team-${Math.random()}`);
    const mine = readFileSync(join(cwd, '.ptp.json'));
    plant({ 'index.html': 'theirs' });
    await deploy();
    writeFileSync(join(cwd, '.ptp.json'), mine);
    plant({ 'index.html': 'mine' });
    const refused = await deploy();
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^The live version is not the one that was deployed from here, .* --force deploys over it\n$/,
    );
    expect(await page(stdout)).toBe('theirs');
    expect(await deploy('--force')).toMatchObject({ code: 0, stdout });
    expect(await page(stdout)).toBe('mine');
    expect(await ptp(['rollback'], { cwd, env: env() })).toMatchObject({ code: 0 });
    expect(await page(stdout)).toBe('theirs');
    expect(await deploy()).toMatchObject({ code: 0, stdout });
    const other = await ptp(['deploy'], { cwd, env: env({ PTP_API_KEY: await newKey() }) });
    expect(other).toMatchObject({ code: 3, stdout: '' });
    expect(other.stderr).toMatch(/belongs to another API key: use that one, or make a new deployment with --new/);
    await ptp(['delete', '--yes'], { cwd, env: env() });
    expect((await deploy()).stderr).toMatch(/was deleted: --force restores its URL, --new makes a new one/);
    expect(await deploy('--force')).toMatchObject({ code: 0, stdout });
  });

  it('prints with --dry-run what it would deploy, and what it leaves out', async () => {
    plant({
      'index.html': 'one',
      'app.js': 'x',
      'app.js.map': 'x',
      '.env': 'x',
      'node_modules/x/index.js': 'x',
    });
    const { code, stdout, stderr } = await deploy('--dry-run');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'app.js\t1\nindex.html\t3\n' });
    expect(stderr.split('\n').toSorted()).toEqual([
      '',
      'Left out .env: may have secrets',
      'Left out app.js.map: source map',
      'Left out node_modules/: installed packages',
      `${basename(cwd)}: 2 files, 4 B`,
    ]);
    expect(existsSync(join(cwd, '.ptp.json'))).toBe(false);
    const { files, leftOut } = JSON.parse((await deploy('--dry-run', '--json', '--source-maps', '-q')).stdout);
    expect(files).toContainEqual({ path: 'app.js.map', bytes: 1 });
    expect(leftOut).toContainEqual({ path: '.env', reason: 'may have secrets' });
  });
});

describe('ptp deploy in a terminal', () => {
  const open = (...args: string[]) => terminal(['deploy', ...args], { cwd, env: env(), columns: 80 });

  it('asks whether to build the source of a site, and deploys the build', async () => {
    plant({ 'package.json': BUILD, 'page.html': 'built', 'node_modules/x/index.js': '' });
    const session = open();
    await session.shows('Cancel');
    expect(session.text()).toContain('Run npm run build, then deploy');
    session.type('\r');
    expect(await session.exit).toBe(0);
    const [url = ''] = /http:\S+\/d\/\w+/.exec(session.text()) ?? [];
    expect(await page(url)).toBe('built');
  });

  it.each([
    ['deploys it as it is', `${DOWN}\r`, 0, /Deployed ptp-test-\w+: 2 files/],
    ['cancels', `${DOWN}${DOWN}\r`, 1, /Nothing was deployed/],
    ['ends on Ctrl-C', CTRL_C, 130, /has a build script/],
  ])('%s if that is the answer', async (_, keys, code, message) => {
    plant({ 'package.json': BUILD, 'index.html': 'source' });
    const session = open();
    await session.shows('Cancel');
    session.type(keys);
    expect(await session.exit).toBe(code);
    expect(session.text()).toMatch(message);
  });

  it('deploys every change with --watch, also of a build that starts anew, until Ctrl-C', async () => {
    plant({ 'dist/index.html': 'one' });
    const session = open('--watch');
    await session.shows('Watching ./dist');
    const [url = ''] = /http:\S+\/d\/\w+/.exec(session.text()) ?? [];
    // With all files at once, however slowly this process runs.
    const build = (files: Readonly<Record<string, string>>) => {
      plant(Object.fromEntries(Object.entries(files).map(([path, content]) => [`next/${path}`, content])));
      rmSync(join(cwd, 'dist'), { recursive: true });
      renameSync(join(cwd, 'next'), join(cwd, 'dist'));
    };
    build({ 'index.html': 'two', 'new/app.js': 'x' });
    await session.shows('Deployed index.html, new/app.js (');
    expect(await page(url)).toBe('two');
    build({ 'index.html': 'three' });
    await session.shows('Deployed index.html (');
    expect(await page(url)).toBe('three');
    plant({ 'dist/large.bin': new Uint8Array(1_100_000) });
    await session.shows('A file may have at most 1 MB');
    rmSync(join(cwd, 'dist/large.bin'));
    plant({ 'dist/more.txt': 'more' });
    await session.shows('Deployed more.txt');
    session.type(CTRL_C);
    expect(await session.exit).toBe(0);
  });
});
