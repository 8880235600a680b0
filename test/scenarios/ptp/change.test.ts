import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../../../cli/keys.ts';
import { emptyFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { operate } from '../../support/cloud/keys.ts';
import { png } from '../../support/images.ts';
import { ptp, terminal } from '../../support/ptp.ts';
import type { Script } from '../../support/vendors/index.ts';
import { oneModel } from '../clouds.ts';

const PAGE = '<!doctype html>\n<title>Shop</title>\n<h1>Shop</h1>\n';
const block = (search: string, replace: string) => `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;
const edit = (path: string, search: string, replace: string) =>
  `<edit path="${path}">\n${block(search, replace)}</edit>\n`;
const CHANGE = [
  edit('index.html', '<h1>Shop</h1>', '<h1>Our shop</h1>'),
  edit('run.sh', 'echo one', 'echo two'),
  '<delete path="old/notes.txt"/>\n<file path="new.txt">\nnew\n</file>\n',
].join('');

/** Called when the model is asked, which is after the files of a folder were sent. */
let whenAsked = () => {};
const script: Script = (_, { body }) => {
  const asked = JSON.stringify(body);
  whenAsked();
  if (asked.includes('never ends')) return [{ text: CHANGE }, 'hang'];
  const isNew = asked.includes('Write this project now');
  const answer = isNew ? `<file path="index.html">\n${PAGE}</file>\n` : CHANGE;
  return [{ text: `${answer}<done/>\n` }, { finish: 'complete' }];
};

const running = await oneModel();
const { vendor } = running;
let key: string;
const cwd = emptyFolder();
beforeAll(async () => {
  running.answerWith(script);
  const args = ['create', '--name', 'change', '--scopes', 'assets:write'];
  key = (await operate(main, args, running.stateDir)).trimEnd();
});
beforeEach(() => {
  whenAsked = () => {};
});

const env = (own = key) => ({ PTP_URL: running.baseUrl, ...(own === '' ? {} : { PTP_API_KEY: own }) });
const run = (...args: string[]) => ptp(['generate', ...args], { cwd, env: env() });
const page = (text: string) => ptp(['deploy', text], { cwd, env: env('') });

/** Plants a folder, and returns a function that reads one of its files. */
function plantSite(name = 'site') {
  const site = join(cwd, name);
  for (const folder of ['old', 'img']) mkdirSync(join(site, folder), { recursive: true });
  writeFileSync(join(site, 'index.html'), PAGE);
  writeFileSync(join(site, 'run.sh'), 'echo one\n');
  chmodSync(join(site, 'run.sh'), 0o755);
  writeFileSync(join(site, 'old/notes.txt'), 'old\n');
  writeFileSync(join(site, 'img/photo.png'), png(3, 2));
  writeFileSync(join(site, 'crlf.txt'), 'a\r\nb');
  writeFileSync(join(site, '.env'), 'SECRET=1');
  return (path: string) => readFileSync(join(site, path), 'utf8');
}
const identity = (path: string) => {
  const { ino, mtimeMs } = statSync(join(cwd, 'site', path));
  return { ino, mtimeMs };
};

describe('ptp generate --from a folder', () => {
  it('changes it in place, and leaves alone what the model does not mention', async () => {
    const read = plantSite();
    const others = ['crlf.txt', 'img/photo.png', '.env'];
    const before = others.map(identity);
    const asked = vendor.requests.length;
    const { code, stdout, stderr } = await run('--from', 'site', 'name it better', '--json');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^~ index.html\n~ run.sh\n- old\/notes.txt\n\+ new.txt\n✓ 2 changed, 1 added, 1 deleted in \.\/site, by provider-a\/m in [\d.]+ s\n$/,
    );
    const { changes, kept, folder } = JSON.parse(stdout);
    expect([changes.length, kept, folder]).toEqual([4, [], join(cwd, 'site')]);
    expect(read('index.html')).toBe(PAGE.replace('<h1>Shop', '<h1>Our shop'));
    expect([read('run.sh'), statSync(join(cwd, 'site/run.sh')).mode & 0o777]).toEqual(['echo two\n', 0o755]);
    expect([existsSync(join(cwd, 'site/old/notes.txt')), read('new.txt')]).toEqual([false, 'new\n']);
    expect(others.map(identity)).toEqual(before);
    expect(JSON.stringify(vendor.requests[asked]?.body)).not.toContain('SECRET');
  });

  it('overwrites nothing that was changed, made or deleted meanwhile, and says so', async () => {
    const read = plantSite();
    whenAsked = () => {
      writeFileSync(join(cwd, 'site/index.html'), 'mine');
      writeFileSync(join(cwd, 'site/new.txt'), 'mine');
      writeFileSync(join(cwd, 'site/old/notes.txt'), 'mine');
      rmSync(join(cwd, 'site/run.sh'));
    };
    const { code, stderr } = await run('--from', 'site', 'name it better', '--deploy');
    expect(code).toBe(1);
    expect(['index.html', 'new.txt', 'old/notes.txt'].map(read)).toEqual(['mine', 'mine', 'mine']);
    expect(existsSync(join(cwd, 'site/run.sh'))).toBe(false);
    for (const notice of [
      'Not changed: index.html, because it was changed meanwhile',
      'Not changed: run.sh, because it was deleted meanwhile',
      'Not deleted: old/notes.txt, because it was changed meanwhile',
      'Not added: new.txt, because the folder has another file of this path',
    ])
      expect(stderr).toContain(notice);
    expect(stderr).toMatch(/"ptp generate --from [\w-]{21} -o DIR PROMPT" continues with all of them\n$/);
  });

  it('locks paths, and fails if a change is left out for that', async () => {
    const read = plantSite();
    const { code, stderr } = await run('--from', 'site', 'name it', '--locked', '*.sh', '--locked', 'old');
    expect(code).toBe(1);
    expect(stderr).toMatch(/The project is incomplete: run.sh: not changed, .*; old\/notes.txt: not changed, /);
    expect([read('run.sh'), read('old/notes.txt')]).toEqual(['echo one\n', 'old\n']);
  });

  it('writes the result elsewhere with -o, binary files too', async () => {
    const read = plantSite();
    expect(await run('--from', 'site', 'name it', '-o', 'copy')).toMatchObject({
      code: 0,
      stdout: './copy\n',
    });
    expect(read('index.html')).toBe(PAGE);
    const copied = readdirSync(join(cwd, 'copy'), { recursive: true });
    expect(copied.toSorted()).toEqual(['crlf.txt', 'img', 'img/photo.png', 'index.html', 'new.txt', 'run.sh']);
    expect(readFileSync(join(cwd, 'copy/img/photo.png'))).toEqual(png(3, 2));
  });

  it('changes nothing when it is canceled', async () => {
    const read = plantSite();
    const session = terminal(['generate', '--from', 'site', 'never ends'], { cwd, env: env() });
    await session.shows('~ index.html');
    session.type('\u0003');
    expect(await session.exit).toBe(130);
    expect([read('index.html'), read('old/notes.txt')]).toEqual([PAGE, 'old\n']);
    expect(session.text()).toContain('Canceling the generation');
  });
});

it('changes a deployment by its URL, also one of a folder without a key', async () => {
  plantSite();
  const { stdout: url } = await page('site');
  const args = ['generate', '--from', url.trim(), 'name it', '-o'];
  const inside = await ptp([...args, '../a'], { cwd: join(cwd, 'site'), env: env('') });
  expect(inside).toMatchObject({ code: 0 });
  expect(readFileSync(join(cwd, 'a/index.html'), 'utf8')).toContain('Our shop');
  const outside = await ptp([...args, 'b'], { cwd, env: env('') });
  expect(outside).toMatchObject({ code: 1, stderr: expect.stringContaining('from is not the id') });
});

it('uploads images, which a project and its page have, and changes a generation by its id', async () => {
  writeFileSync(join(cwd, 'Team Photo.png'), png(3, 2));
  const made = await run('an album', '--asset', 'Team Photo.png', '-o', 'album', '--json', '--deploy');
  expect(made.code).toBe(0);
  expect(readFileSync(join(cwd, 'album/assets/team-photo.png'))).toEqual(png(3, 2));
  const { id, deployment } = JSON.parse(made.stdout);
  const { bytes } = await newCaller(running.baseUrl).send(`/d/${deployment.id}/assets/team-photo.png`);
  expect(bytes).toEqual(png(3, 2));
  const again = await run('--from', id, 'name it better', '-o', 'second', '--asset', 'Team Photo.png');
  expect(again.stderr).toContain('run.sh: not changed');
  expect(readFileSync(join(cwd, 'second/assets/team-photo.png'))).toEqual(png(3, 2));
});

it.each([
  [['--locked', 'a'], 2, '--locked needs --from'],
  [['--from', 'nowhere'], 2, '"nowhere" is neither the id'],
  [['--asset', 'page.xyz'], 2, 'Unknown type of page.xyz'],
  [['--asset', 'none.png'], 1, 'There is no file none.png'],
  [['--asset', 'large.png'], 1, 'large.png has 1.00 MB, but an image of a project at most 1 MB'],
  [Array(6).fill('--asset=a.png'), 2, '--asset is given 6 times'],
  [['--from', '.'], 1, 'has no files to change'],
])('rejects %j with one line', async (args, code, message) => {
  if (args[1]?.startsWith('large')) writeFileSync(join(cwd, args[1]), Buffer.alloc(1_048_577));
  const ran = await run('a quiz', ...args);
  expect({ ...ran, lines: ran.stderr.split('\n').length }).toMatchObject({ code, stdout: '', lines: 2 });
  expect(ran.stderr).toContain(message);
});

it('needs a key for images', async () => {
  const ran = await ptp(['generate', 'an album', '--asset', 'a.png'], { cwd, env: env('') });
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('No API key') });
});
