import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { newKey } from '../../support/cloud/keys.ts';
import { recordingProxy } from '../../support/cloud/recording-proxy.ts';
import { freePort } from '../../support/free-port.ts';
import { ptp, terminal } from '../../support/ptp.ts';
import { Screen } from '../../support/screen.ts';

const CTRL_C = '\u0003';

const cwd = emptyFolder();
const key = await newKey();

const env = () => ({ PTP_URL: cloud().baseUrl, PTP_API_KEY: key });
const run = (...args: string[]) => ptp(['generate', ...args], { cwd, env: env() });
const open = (columns: number, ...args: string[]) => terminal(['generate', ...args], { cwd, env: env(), columns });
const api = (path: string) => newCaller().send(path, { headers: { 'x-api-key': key } });

/** Returns the files of a folder with their contents. */
function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

describe('ptp generate in a pipe', () => {
  it('writes the files of the API to a new folder, and prints its name and one line', async () => {
    const { code, stdout, stderr } = await run('a pomodoro timer with a dark theme');
    expect({ code, stdout }).toEqual({ code: 0, stdout: './pomodoro-timer\n' });
    expect(stderr).toMatch(/^✓ \d+ files, [\d.]+ KB, in \.\/pomodoro-timer, by provider-a\/blueprint in [\d.]+ s\n$/);
    const { code: again, stdout: json, stderr: silent } = await run('a pomodoro timer', '--json', '-q', '-o', 'out');
    expect({ again, silent }).toEqual({ again: 0, silent: '' });
    const result = JSON.parse(json);
    const { files } = (await api(`/api/v1/generations/${result.id}/result`)).json;
    const contents = Object.fromEntries(
      files.map((file: { path: string; content: string }) => [file.path, file.content]),
    );
    expect(filesIn(join(cwd, 'out'))).toEqual(contents);
    expect(result).toMatchObject({
      status: 'succeeded',
      matched: 'timer',
      folder: join(cwd, 'out'),
      fileCount: files.length,
    });
    expect(result.files).toContainEqual({
      path: 'index.html',
      language: 'html',
      bytes: Buffer.byteLength(contents['index.html']),
    });
  });

  it('goes from an empty folder to a live URL, which is all that it prints', async () => {
    const { code, stdout } = await run('a kanban board', '--deploy');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^http:\/\/localhost:\d+\/d\/[0-9a-z]{12}\n$/);
    const page = await newCaller().send(`${new URL(stdout.trim()).pathname}/`);
    expect({ status: page.status, text: page.text }).toEqual({
      status: 200,
      text: readFileSync(join(cwd, 'kanban-board/index.html'), 'utf8'),
    });
    expect(await ptp(['deploy', 'kanban-board'], { cwd, env: env() })).toMatchObject({ code: 0, stdout });
  });

  it('names the providers that failed, and why', async () => {
    const { code, stderr } = await run('a quiz', '--model', 'provider-c');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^provider-c\/scripted: .+\nContinuing with provider-a\/blueprint\n✓ /);
  });

  it('says that no starter fits a prompt', async () => {
    const { code, stderr } = await run('a kernel driver for my network card');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('No starter project fits this prompt'),
    });
  });

  it('reads a prompt from stdin', async () => {
    const ran = await ptp(['generate', '-'], { cwd, env: env(), input: 'a memory game\n' });
    expect(ran).toMatchObject({ code: 0, stdout: './memory-game\n' });
  });

  it('refuses a folder with files before it asks the service, and with --force replaces only what it must', async () => {
    mkdirSync(join(cwd, 'site'));
    writeFileSync(join(cwd, 'site/index.html'), 'mine');
    writeFileSync(join(cwd, 'site/notes.txt'), 'mine');
    const nowhere = { PTP_URL: `http://127.0.0.1:${await freePort()}` };
    const refused = await ptp(['generate', 'a quiz', '-o', 'site'], { cwd, env: nowhere });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^The folder ".*site" is not empty \(index.html, notes.txt\): .* --force\n$/);
    expect(await run('a quiz', '-o', 'site', '--force')).toMatchObject({ code: 0, stdout: './site\n' });
    const { 'index.html': page, 'notes.txt': notes } = filesIn(join(cwd, 'site'));
    expect([page?.startsWith('<!'), notes]).toEqual([true, 'mine']);
  });
});

describe('ptp generate in a terminal', () => {
  it.each([80, 40])(
    'shows providers and files as they come in %i columns, and ends with a summary',
    async (columns) => {
      const session = open(columns, 'a quiz', '--model', 'provider-c', '--deploy');
      expect(await session.exit).toBe(0);
      expect(session.text()).toMatch(/ · \d:\d\d of 6:00/);
      const screen = new Screen(columns);
      screen.write(session.raw());
      const rows = screen.text.split('\n');
      expect(rows[0]).toBe('provider-c/scripted');
      expect(rows[1]).toMatch(/^✗ /);
      expect(rows).toContain('provider-a/blueprint');
      expect(rows.filter((row) => / {2}index\.html +[\d.]+ KB$/.test(row))).toHaveLength(1);
      expect(rows.filter((row) => row.startsWith('✓ '))).toHaveLength(2);
      expect(rows.at(-1)).toMatch(/^http:\/\/localhost:\d+\/d\/[0-9a-z]{12}$/);
      expect(screen.cursorVisible).toBe(true);
      expect(screen.text).not.toMatch(/ of 6:00/);
    },
  );

  it('cancels the generation on Ctrl-C, and leaves no empty folder', async () => {
    using wire = await recordingProxy();
    const args = ['generate', 'a quiz', '--model', 'provider-b'];
    const session = terminal(args, { cwd, env: { ...env(), PTP_URL: wire.url } });
    await session.shows('provider-b/scripted');
    session.type(CTRL_C);
    expect(await session.exit).toBe(130);
    expect(session.text()).toContain('Canceling the generation');
    expect(readdirSync(cwd)).toEqual([]);
    const [, id] = /DELETE \/api\/v1\/generations\/(\S+) /.exec(wire.sent().toString('latin1')) ?? [];
    expect((await api(`/api/v1/generations/${id}`)).json).toMatchObject({ status: 'canceled' });
  });
});
