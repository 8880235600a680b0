import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { main } from '../../cli/review-command.ts';
import { openStage } from '../../cli/stage.ts';
import { storePictureOfVersion } from '../support/buckets.ts';
import { runMain } from '../support/command.ts';
import { newCaller } from './client.ts';
import { operate } from './keys.ts';
import { NO_RATE_LIMIT, startVariant, type Variant } from './variant.ts';

const GATE = { points: 70, reasons: [{ reason: 'It asks for a card', path: 'index.html', points: 70 }] };

let running: Variant;
beforeAll(async () => {
  const invalidationSeconds = { effect: [0.1, 0.3], completion: [0.3, 0.5] } as const;
  running = await startVariant(NO_RATE_LIMIT, { invalidationSeconds });
});
afterAll(() => running.close());

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

async function deployed(title: string) {
  const caller = newCaller(running.baseUrl);
  const { json, headers } = await caller.post('/api/v1/deploy', {
    files: [{ path: 'index.html', content: `<title>${title}</title>` }],
  });
  return {
    id: json.id as string,
    version: JSON.parse(String(headers.etag)) as string,
    visit: async () => (await newCaller(running.baseUrl).send(`/d/${json.id}/`)).status,
    report: (reason: string, details?: string) =>
      newCaller(running.baseUrl).post('/api/v1/reports', { deploymentId: json.id, reason, details }),
  };
}

/** Has a deployment held as the gate does. */
async function hold(id: string, version: string) {
  using stage = await openStage(undefined, { STATE_DIR: running.stateDir });
  const TableName = stage.output('DeploymentsTable');
  await stage.db.send(
    new UpdateCommand({
      TableName,
      Key: { id },
      UpdateExpression: 'SET #version.gate = :gate',
      ExpressionAttributeNames: { '#version': `version:${version}` },
      ExpressionAttributeValues: { ':gate': GATE },
    }),
  );
  const Item = { id: `held:${id}`, listOwner: '#held', createdAt: Date.now() };
  await stage.db.send(new PutCommand({ TableName, Item }));
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
    const site = await deployed('Shop');
    await expect(review('release', site.id, '--yes')).rejects.toMatchObject({
      stderr: `The deployment ${site.id} is not held\n`,
    });
    await hold(site.id, site.version);
    const [entry] = await listOnce(has(site.id));
    expect(entry).toMatchObject({ id: site.id, state: 'held', points: 70, gate: GATE.reasons });
    expect(await review()).toContain('\tIt asks for a card\tShop\n');
    const folder = mkdtempSync(join(tmpdir(), 'ptp-review-'));
    const file = join(folder, 'page.png');
    await expect(review('show', site.id, '--picture', file)).rejects.toMatchObject({
      stderr: 'No picture was written: none: no browser has looked at the page\n',
    });
    await storePictureOfVersion(site.id, site.version, Buffer.from('PNG'), running);
    expect(await review('show', site.id)).toMatch(
      new RegExp(
        `screenshot +s3://\\S+/sites/${site.id}/${site.version}.look; --picture FILE writes it as PNG\n`,
      ),
    );
    expect(await review('show', site.id, '--picture', file)).toContain(
      '70 in index.html: It asks for a card',
    );
    expect(readFileSync(file, 'utf8')).toBe('PNG');
    rmSync(folder, { recursive: true });

    expect(await review('release', site.id, '--yes')).toBe(
      `${running.baseUrl}/d/${site.id} is public, and so are its next versions with at most 70 points\n`,
    );
    await listOnce(lacks(site.id));
    expect(JSON.parse(await review('show', site.id, '--json'))).toMatchObject({
      state: 'public',
      points: 70,
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
