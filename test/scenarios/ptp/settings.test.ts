import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { main as keysMain } from '../../../cli/keys.ts';
import { temporaryFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { operate } from '../../support/cloud/keys.ts';
import { NAVIGATE, visitorOf } from '../../support/private-pages.ts';
import { ptp, type RunOptions, terminal } from '../../support/ptp.ts';
import { expire } from '../../support/tables.ts';
import { ownOrigins } from '../clouds.ts';

const PASSWORD = 'correct horse battery';
const MINUTE = 60_000;

const service = await ownOrigins();
const key = (await operate(keysMain, ['create', '--name', 'me'], service.stateDir)).trimEnd();
const home = temporaryFolder();

let folders = 0;
/** Makes a folder with a page. Returns how to run `ptp` in it, with the key or, by default, without. */
function site() {
  const cwd = join(home, `site-${++folders}`);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'index.html'), '<title>Mine</title>');
  const env = { PTP_URL: service.baseUrl, XDG_CONFIG_HOME: home };
  const owned = { ...env, PTP_API_KEY: key };
  return {
    run: (...args: string[]) => ptp(args, { cwd, env }),
    runOwned: (args: string[], more: RunOptions['env'] = {}, input = '') =>
      ptp(args, { cwd, env: { ...owned, ...more }, input }),
    open: (...args: string[]) => terminal(args, { cwd, env: owned }),
    record: () => JSON.parse(readFileSync(join(cwd, '.ptp.json'), 'utf8')),
    read: (name: string) => readFileSync(join(cwd, name)),
  };
}

const pathOf = (url: string) => url.trim().replace(/^http:\/\/[^/]+/, '');
const statusOf = async (url: string) =>
  (await newCaller(service.baseUrl).send(`${pathOf(url)}/`, { headers: {} })).status;
const unlock = async (id: string, password: string) => {
  const path = `/api/v1/deployments/${id}/unlock`;
  const { headers } = await newCaller(service.baseUrl).post(path, { password });
  return String(headers.location).includes('ptp-entry=');
};

describe('a deployment without a key', () => {
  it('says when it expires and how to keep it, and is deployed with the key once it is claimed', async () => {
    const { run, runOwned, record } = site();
    const first = await run('deploy');
    expect(first.stderr).toMatch(
      /\nIt expires in 30 days, at 20\d\d-\d\d-\d\dT\S+Z\. With an API key, "ptp claim" keeps it\n$/,
    );
    // From the second deploy on, the service requires the token, which the key has not.
    await run('deploy');
    const without = await run('claim');
    expect(without).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('No API key') });
    const { token, id } = record();
    const claimed = await runOwned(['claim']);
    expect(claimed).toEqual({
      code: 0,
      stdout: first.stdout,
      stderr: `✓ Claimed ${id}: it belongs to your API key, and stays\n`,
    });
    expect(record()).toMatchObject({ id, owner: 'key' });
    expect(JSON.stringify(record())).not.toContain(token);
    const again = await runOwned(['deploy']);
    expect(again).toMatchObject({ code: 0, stdout: first.stdout });
    expect(again.stderr).not.toMatch(/expires|without the API key/);
    expect((await run('deploy')).code).toBe(3);
  });

  it('that was claimed elsewhere is linked to the key by a claim in its folder', async () => {
    const { run, runOwned, record } = site();
    await run('deploy');
    const { id, token } = record();
    const headers = { 'x-deployment-token': token, 'x-api-key': key };
    await newCaller(service.baseUrl).post(`/api/v1/deployments/${id}/claim`, undefined, headers);
    const refused = await runOwned(['deploy']);
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toMatch(/was claimed with an API key: .* "ptp claim" has this folder use the key/);
    expect(await runOwned(['claim'])).toMatchObject({ code: 0 });
    expect(await runOwned(['deploy'])).toMatchObject({ code: 0 });
  });

  it('that has expired is published again with --force only', async () => {
    const { run, runOwned, record } = site();
    const { stdout } = await run('deploy');
    await expire(record().id, service);
    const refused = await run('deploy');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('The deployment has expired: --force restores its URL, --new makes a new one');
    expect(await runOwned(['claim'])).toMatchObject({ code: 1, stderr: 'The deployment has expired\n' });
    expect(await run('deploy', '--force')).toMatchObject({ code: 0, stdout });
  });

  it('is claimed with its token only', async () => {
    const { run, record } = site();
    await run('deploy');
    const elsewhere = await site().runOwned(['claim', record().id]);
    expect(elsewhere).toMatchObject({ code: 3, stdout: '' });
    expect(elsewhere.stderr).toContain('run "ptp claim" in the folder that it was deployed from');
  });
});

it('a deploy sets when the page expires, and later ones renew that until one says never', async () => {
  const { runOwned, record } = site();
  const expires = async (...args: string[]) => {
    const { stdout } = await runOwned(['deploy', '--json', ...args]);
    const { expiresAt } = JSON.parse(stdout);
    return expiresAt && Math.round((expiresAt - Date.now()) / MINUTE);
  };
  expect(await expires('--expires', '90m')).toBe(90);
  expect(await expires()).toBe(90);
  const list = async (): Promise<string[]> => {
    const { stdout } = await runOwned(['list', '-n', '1']);
    // The index of the list lags.
    return stdout.includes(record().id) ? stdout.split('\t') : list();
  };
  expect((await list())[2]).toMatch(/^20\d\d-/);
  expect((await runOwned(['deploy'])).stderr).toMatch(/It expires in 90 minutes, at \S+Z\n$/);
  expect(await expires('--expires', 'never')).toBeUndefined();
  expect((await list()).slice(2)).toEqual(['never', 'public', 'Mine\n']);
});

describe('a private page', () => {
  it('is opened by its link, which ptp prints, and by nobody once it has another one', async () => {
    const { runOwned, record } = site();
    const deployed = await runOwned(['deploy', '--access', 'link', '--link-expires', '2h']);
    expect(deployed.stderr).toMatch(/\nOnly people with the link can open the page, until \S+Z\n$/);
    const visit = visitorOf(record().id, service.baseUrl);
    const enter = async (link: string) => (await visit(pathOf(link), { headers: NAVIGATE })).status;
    expect(await enter(deployed.stdout)).toBe(303);
    const shown = await runOwned(['access']);
    expect(shown.stdout).toBe(deployed.stdout);
    // Files only: who may see them stays.
    expect((await runOwned(['deploy'])).stdout).toBe(`${service.baseUrl}/d/${record().id}\n`);
    expect(await enter(deployed.stdout)).toBe(303);
    const { link } = JSON.parse((await runOwned(['access', 'link', '--json'])).stdout);
    expect([await enter(deployed.stdout), await enter(link.url)]).toEqual([403, 303]);
  });

  it('takes its password from the environment, from stdin, or from a person, who does not see it', async () => {
    const { runOwned, open, record } = site();
    const piped = await runOwned(['deploy', '--access', 'password'], {
      PTP_PASSWORD: 'from the environment',
    });
    expect(piped).toMatchObject({ code: 0 });
    const { id } = record();
    expect(await unlock(id, 'from the environment')).toBe(true);
    await runOwned(['access', 'password', '--password', '-'], {}, 'from stdin\n');
    expect(await unlock(id, 'from stdin')).toBe(true);

    const wrong = open('access', 'password');
    await wrong.shows('Password of the page');
    wrong.type(`${PASSWORD}\r`);
    await wrong.shows('The same password again');
    wrong.type('another\r');
    expect(await wrong.exit).toBe(1);
    expect(wrong.text()).toContain('The passwords differ: nothing was changed');
    const session = open('access', 'password');
    await session.shows('Password of the page');
    session.type(`${PASSWORD}\r`);
    await session.shows('The same password again');
    session.type(`${PASSWORD}\r`);
    expect(await session.exit).toBe(0);
    expect(session.raw()).not.toContain('horse');
    expect(session.text()).toContain('Only people who know the password can open the page');
    expect([await unlock(id, 'from stdin'), await unlock(id, PASSWORD)]).toEqual([false, true]);
  });

  it('that was public says until when copies are left, and can be public again', async () => {
    const { run, record } = site();
    const { stdout } = await run('deploy');
    const hidden = await run('access', 'link');
    expect(hidden.stderr).toMatch(/\nCopies of the public page at the edge are gone by \S+Z\n$/);
    expect(await statusOf(stdout)).toBe(308);
    expect(await run('access', 'public', record().id)).toEqual({
      code: 0,
      stdout,
      stderr: 'Everyone can open the page\n',
    });
    expect(await statusOf(stdout)).toBe(200);
  });

  it('is downloaded as a zip by its owner', async () => {
    const { run, runOwned, read, record } = site();
    await run('deploy', '--access', 'link');
    expect(await run('zip')).toMatchObject({ code: 0, stdout: `${record().id}.zip\n` });
    expect(Object.keys(unzipSync(read(`${record().id}.zip`)))).toEqual(['index.html']);
    const again = await run('zip');
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--force replaces it') });
    expect(await run('zip', '--force')).toMatchObject({ code: 0 });
    const other = await site().runOwned(['zip', record().id]);
    expect(other).toMatchObject({ code: 3, stderr: expect.stringContaining('is not yours') });
    expect((await runOwned(['zip', record().id, '-o', 'mine.zip'])).code).toBe(0);
  });
});
