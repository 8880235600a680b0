import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../../../cli/review.ts';
import { temporaryFolder } from '../../support/at-end.ts';
import { storePictureOfVersion } from '../../support/buckets.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { operate } from '../../support/cloud/keys.ts';
import { runMain } from '../../support/command.ts';
import { page } from '../../support/gate/sample.ts';
import { oneModel } from '../clouds.ts';

const KIT = '<form action="https://a.example/"><input type="password" name="p"></form>';

const running = await oneModel();
const folder = temporaryFolder();

const review = (...args: string[]) => operate(main, args, running.stateDir);

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly reports: number;
  readonly owner: string;
}

/** Returns the list once it is as expected: its indexes lag behind what was written. */
async function listOnce(isExpected: (list: readonly Listed[]) => boolean): Promise<readonly Listed[]> {
  for (;;) {
    const list = JSON.parse(await review('--json')) as Listed[];
    if (isExpected(list)) return list;
  }
}
const has = (id: string) => (list: readonly Listed[]) => list.some((one) => one.id === id);
const lacks = (id: string) => (list: readonly Listed[]) => !has(id)(list);

async function deployed(title: string, body = '') {
  const caller = newCaller(running.baseUrl);
  const projectId = `review-${Math.random()}`;
  const deploy = (content: string) =>
    caller.post('/api/v1/deploy', { files: [{ path: 'index.html', content }], projectId });
  const { json, headers } = await deploy(page(title, body));
  return {
    id: json.id as string,
    version: JSON.parse(String(headers.etag)) as string,
    redeploy: async (more: string) => (await deploy(page(title, more))).status,
    visit: async () => (await newCaller(running.baseUrl).send(`/d/${json.id}/`)).status,
    report: (reason: string, details?: string) =>
      newCaller(running.baseUrl).post('/api/v1/reports', { deploymentId: json.id, reason, details }),
  };
}

describe('npm run review', () => {
  it('has nothing at first', async () => {
    expect(await runMain(main, [], { STATE_DIR: running.stateDir })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Nothing to review\n',
    });
  });

  it('lists reported pages, the most urgent first, and closes their reports', async () => {
    const [spam, bank] = [await deployed('Spam'), await deployed('Bank')];
    await spam.report('spam');
    await bank.report('phishing', 'It asks\nfor \u001b[31ma PIN');
    await bank.report('phishing');
    const list = await listOnce((all) => has(spam.id)(all) && has(bank.id)(all));
    expect(list.map(({ id }) => id)).toEqual([bank.id, spam.id]);
    expect(list[0]).toMatchObject({
      id: bank.id,
      url: `${running.baseUrl}/d/${bank.id}`,
      state: 'public',
      owner: 'anonymous',
      title: 'Bank',
      reports: 2,
      reasons: { phishing: 2 },
    });
    expect(await review()).toContain(`${bank.id}\tpublic\t0h\tanonymous\t2\tphishing 2\tBank\n`);
    const shown = await review('show', bank.id);
    expect(shown).toMatch(/reports +2: phishing 2\n +\S+Z phishing: It asks for \[31ma PIN\n/);
    expect(shown).toMatch(/screenshot +none: no browser has looked at the page\n/);

    expect(await review('dismiss', bank.id, '--yes')).toBe(
      `The reports of ${running.baseUrl}/d/${bank.id} are closed\n`,
    );
    await listOnce(lacks(bank.id));
    await expect(review('dismiss', bank.id, '--yes')).rejects.toMatchObject({
      code: 1,
      stderr: `There are no open reports of ${bank.id}\n`,
    });
    // Another report opens it again, with less weight.
    await bank.report('spam');
    const again = await listOnce(has(bank.id));
    expect(again.map(({ id }) => id)).toEqual([spam.id, bank.id]);
    await review('dismiss', spam.id, '--yes');
    await review('dismiss', bank.id, '--yes');
  });

  it('takes a page down, which leaves the list', async () => {
    const site = await deployed('Malware');
    await site.report('malware');
    await listOnce(has(site.id));
    expect(await review('takedown', site.id, '--reason', 'Malware', '--yes')).toContain(
      'is taken down, with the reason: Malware',
    );
    expect(await site.visit()).toBe(451);
    await listOnce(lacks(site.id));
    expect(await review('show', site.id)).toMatch(/state +taken down, /);
    expect((await site.report('malware')).status).toBe(451);
  });

  it('shows why a page is held, with its picture, and releases it up to its points', async () => {
    const clean = await deployed('Soup');
    await expect(review('release', clean.id, '--yes')).rejects.toMatchObject({
      stderr: `The deployment ${clean.id} is not held\n`,
    });
    const site = await deployed('PayPal: log in', KIT);
    expect(await site.visit()).toBe(403);
    const [entry] = await listOnce(has(site.id));
    expect(entry).toMatchObject({ id: site.id, state: 'held', points: 85 });
    expect(await review()).toMatch(new RegExp(`${site.id}\theld\t0h\tanonymous\t0\tIt [^\t]+\tPayPal: log in\n`));
    const file = join(folder, 'page.png');
    await expect(review('show', site.id, '--picture', file)).rejects.toMatchObject({
      stderr: 'No picture was written: none: no browser has looked at the page\n',
    });
    await storePictureOfVersion(site.id, site.version, Buffer.from('PNG'), running);
    expect(await review('show', site.id)).toMatch(
      new RegExp(`screenshot +s3://\\S+/sites/${site.id}/${site.version}.look; --picture FILE writes it as PNG\n`),
    );
    expect(await review('show', site.id, '--picture', file)).toContain('10 in index.html: It asks for a password');
    expect(readFileSync(file, 'utf8')).toBe('PNG');

    expect(await review('release', site.id, '--yes')).toBe(
      `${running.baseUrl}/d/${site.id} is public, and so are its next versions with at most 85 points\n`,
    );
    expect(await site.visit()).toBe(200);
    await listOnce(lacks(site.id));
    expect(JSON.parse(await review('show', site.id, '--json'))).toMatchObject({
      state: 'public',
      points: 85,
    });
  });

  it.each([
    ['is neither the id of a deployment nor the URL', ['show', 'abc'], 2],
    ["Missing required argument 'id'", ['release'], 2],
    ['Unexpected argument: shwo', ['shwo'], 2],
    ['There is no deployment abcdefghijkl', ['show', 'abcdefghijkl'], 1],
    ['--reason has 501 characters', ['takedown', 'abcdefghijkl', '--reason', 'x'.repeat(501), '--yes'], 2],
  ])('explains a mistake: %s', async (message, args, code) => {
    await expect(review(...args)).rejects.toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  it('changes nothing without --yes where nobody can be asked', async () => {
    const site = await deployed('Fine');
    await site.report('other');
    for (const action of ['dismiss', 'takedown'])
      await expect(review(action, site.id)).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringContaining('there is no terminal: add --yes'),
      });
    expect(await site.visit()).toBe(200);
    await listOnce(has(site.id));
  });
});
