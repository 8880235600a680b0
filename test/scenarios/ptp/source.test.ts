import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { emptyFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { newKey } from '../../support/cloud/keys.ts';
import { ptp, terminal } from '../../support/ptp.ts';

const CTRL_C = '\u0003';

const cwd = emptyFolder();
const key = await newKey();

const options = () => ({ cwd, env: { PTP_URL: cloud().baseUrl, PTP_API_KEY: key }, columns: 80 });
const run = (...args: string[]) => ptp(args, options());
const textAt = async (url: string, path: string) =>
  (await newCaller().send(`${new URL(url.trim()).pathname}/${path}`)).text;

function plant(files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  }
}

/** A project without packages, so that nothing is fetched. */
const PROJECT = {
  'index.html': '<!doctype html><title>App</title><script type="module" src="/src/main.ts"></script>',
  'package.json': '{ "scripts": { "build": "vite build" } }',
  'src/main.ts': 'import "./style.css";\ndocument.title = import.meta.env.VITE_TITLE as string;\n',
  'src/style.css': 'body { color: teal }',
  '.env': 'VITE_TITLE=of all modes\nSECRET=unsent\n',
  '.env.production': 'VITE_TITLE=of production',
};

/** Returns the text of the script that a page loads. */
async function scriptOf(url: string): Promise<string> {
  const [, path = ''] = /<script[^>]* src="[^"]*?(assets\/[^"]+)"/.exec(await textAt(url, '')) ?? [];
  return textAt(url, path);
}

describe('ptp deploy of source', () => {
  it('has the service build it, with the VITE_ variables of .env files', async () => {
    plant(PROJECT);
    const first = await run('deploy');
    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http\S+\n$/) });
    expect(first.stderr.split('\n')).toEqual([
      'Sending VITE_TITLE of .env.production: everyone who opens the page can read that',
      'Left out .env: may have secrets',
      'Left out the rest of .env.production: may have secrets',
      expect.stringMatching(/^✓ Built and deployed ptp-test-\w+: 4 files, \d+ B \([\d.]+ s\)$/),
      '',
    ]);
    expect(await scriptOf(first.stdout)).toContain('of production');
    plant({ 'src/main.ts': 'document.title = "edited" as string;' });
    const second = await run('deploy');
    expect(second).toMatchObject({ code: 0, stdout: first.stdout });
    expect(second.stderr).toContain(', 1 changed (');
    expect(await scriptOf(first.stdout)).toContain('edited');
  });

  it('publishes it unchanged with --as-is', async () => {
    plant(PROJECT);
    const { code, stdout, stderr } = await run('deploy', '--as-is');
    expect(code).toBe(0);
    expect(stderr).toContain('Visitors see an empty page');
    expect(await textAt(stdout, 'src/main.ts')).toBe(PROJECT['src/main.ts']);
  });

  it('prints the problems with their lines, and deploys nothing', async () => {
    plant({ ...PROJECT, 'src/main.ts': 'export {};\nconst a = <b>;\n' });
    const { code, stdout, stderr } = await run('deploy');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const [, , , place, line, caret, ...end] = stderr.split('\n');
    expect(place).toMatch(/^src\/main\.ts:2:\d+: ./);
    expect(line).toBe('  2 │ const a = <b>;');
    expect(caret).toMatch(/^ {4}│ {11,}\^$/);
    expect(end).toEqual(['', 'The build failed with 1 problem. Nothing was deployed', '']);
    expect(existsSync(join(cwd, '.ptp.json'))).toBe(false);
  });

  it('goes on with --watch after a change that does not build', async () => {
    plant(PROJECT);
    const session = terminal(['deploy', '--watch'], options());
    await session.shows('Watching .');
    const [url = ''] = /http:\S+\/d\/\w+/.exec(session.text()) ?? [];
    plant({ 'src/main.ts': 'const a = ;' });
    await session.shows('The build failed with 1 problem. The page is as before');
    expect(session.text()).toContain('src/main.ts:1:11: ');
    plant({ 'src/main.ts': 'document.title = "mended";' });
    await session.shows('Deployed src/main.ts (');
    expect(await scriptOf(url)).toContain('mended');
    plant({ 'src/main.ts': 'document.title = import.meta.env.VITE_TITLE;' });
    while (!(await scriptOf(url)).includes('of production')) await setTimeout(100);
    plant({ '.env.production': 'VITE_TITLE=changed' });
    await session.shows('Deployed variables (');
    expect(await scriptOf(url)).toContain('changed');
    session.type(CTRL_C);
    expect(await session.exit).toBe(0);
  });
});

describe('ptp build', () => {
  it('writes what a deploy publishes, and replaces it the next time', async () => {
    plant(PROJECT);
    const { code, stdout } = await run('build');
    expect({ code, stdout }).toEqual({ code: 0, stdout: './dist\n' });
    const built = readdirSync(join(cwd, 'dist'), { recursive: true }).sort();
    expect(built).toEqual(['assets', expect.stringMatching(/\.css$/), expect.stringMatching(/\.js$/), 'index.html']);
    plant({ 'src/main.ts': 'document.title = "edited";' });
    const { files, folder, packages } = JSON.parse((await run('build', '--json')).stdout);
    expect({ folder, packages }).toEqual({ folder: join(cwd, 'dist'), packages: {} });
    const now = readdirSync(join(cwd, 'dist/assets'));
    expect(now).toHaveLength(1);
    expect(files).toEqual([`assets/${now[0]}`, 'index.html']);
    expect(readFileSync(join(cwd, 'dist/assets', now[0] ?? ''), 'utf8')).toContain('edited');
  });

  it('leaves other files alone', async () => {
    plant({ ...PROJECT, 'mine/notes.txt': 'x' });
    const { code, stderr } = await run('build', '--out', 'mine');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/mine is not empty: .*--out, or .* --force\n$/),
    });
    expect((await run('build', '--out', '.')).stderr).toContain('is the project: name another folder');
    expect(await run('build', '--out', 'mine', '--force')).toMatchObject({ code: 0, stdout: './mine\n' });
    expect(readFileSync(join(cwd, 'mine/notes.txt'), 'utf8')).toBe('x');
    plant({ 'src/main.ts': 'const a = ;' });
    const broken = await run('build', '--out', 'mine', '--force');
    expect(broken).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\nThe build failed .* \.\/mine is as before\n$/),
    });
  });

  it('says that a site needs no build, and which framework has one of its own', async () => {
    plant({ 'index.html': '<h1>Site</h1>' });
    expect((await run('build')).stderr).toMatch(/^There is nothing to build in ptp-test-\w+: "ptp deploy" publishes/);
    rmSync(join(cwd, 'index.html'));
    plant({ 'package.json': '{"dependencies":{"next":"^16.0.0"}}', 'app/page.tsx': '' });
    expect((await run('build')).stderr).toMatch(/^This project uses next, /);
  });
});
