import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { main as keysMain } from '../../../cli/keys.ts';
import { main } from '../../../cli/takedown.ts';
import type { OperatorFile } from '../../../local/cloud/cloud.ts';
import { temporaryFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { operate } from '../../support/cloud/keys.ts';
import { untilCached } from '../../support/cloud/sites.ts';
import { freePort } from '../../support/free-port.ts';
import { A_PAGE, oneModel } from '../clouds.ts';

const running = await oneModel();
beforeAll(() => running.answerWith(A_PAGE));

const takedown = (...args: string[]) => operate(main, [...args, '--yes'], running.stateDir);
const DROPPED = 'Removing the copies at the edge locations ...\nNo edge location has a copy.\n';

const operator = (): OperatorFile => JSON.parse(readFileSync(join(running.stateDir, 'operator.json'), 'utf8'));

const HASHED = 'assets/index-BkC3x9aZ.js';

function files(title: string, projectId?: string) {
  return {
    files: [
      { path: 'index.html', content: `<title>${title}</title>` },
      { path: HASHED, content: title },
    ],
    projectId,
  };
}

/** Deploys a new project. Returns functions for everything that its owner and its visitors can do. */
async function newDeployment() {
  const caller = newCaller(running.baseUrl);
  const projectId = `takedown-${Math.random()}`;
  const { json, headers } = await caller.post('/api/v1/deploy', files('Fine', projectId));
  const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
  const resource = `/api/v1/deployments/${json.id}`;
  return {
    id: json.id as string,
    url: json.url as string,
    version: JSON.parse(String(headers.etag)) as string,
    visit: () => caller.send(`/d/${json.id}/`),
    visitHashed: () => caller.send(`/d/${json.id}/${HASHED}`),
    download: () => caller.send(`/d/${json.id}.zip`),
    picture: () => caller.send(`/d/${json.id}.png`),
    deploy: () => caller.post('/api/v1/deploy', files('Again', projectId)),
    status: async () => (await caller.send(resource, { headers: token })).json.status,
    rollBack: (version: string) => caller.post(`${resource}/rollback`, { version }, token),
    delete: () => caller.send(resource, { method: 'DELETE', headers: token }),
  };
}

describe('npm run takedown', () => {
  it('answers 451, also for what the edge has cached, with the reason and nothing of the site', async () => {
    const [site, other] = [await newDeployment(), await newDeployment()];
    await untilCached(site.visitHashed);
    await untilCached(other.visitHashed);
    const reason = 'Phishing <b>of & for</b> "banks"';
    expect(await takedown(site.id, '--reason', reason)).toBe(
      `${site.url} is taken down, with the reason: ${reason}\n${DROPPED}`,
    );
    const page = await site.visit();
    expect(page).toMatchObject({
      status: 451,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    });
    expect(page.text).toContain('Phishing &#60;b&#62;of &#38; for&#60;/b&#62; &#34;banks&#34;');
    expect(page.text).not.toContain('Fine');
    expect((await site.visitHashed()).status).toBe(451);
    expect((await site.download()).status).toBe(451);
    expect((await site.picture()).status).toBe(451);
    expect((await other.visit()).status).toBe(200);
  });

  it('restores the page and allows deploys after --undo', async () => {
    const site = await newDeployment();
    await takedown(site.id);
    expect((await site.visit()).status).toBe(451);
    expect(await takedown(site.id, '--undo')).toBe(`${site.url} is no longer taken down: it is online\n`);
    expect(await site.status()).toBe('live');
    expect((await site.visit()).text).toContain('Fine');
    expect((await site.deploy()).status).toBe(200);
    expect((await site.visit()).text).toContain('Again');
  });

  it('replaces the reason when repeated, and reports when there is nothing to undo', async () => {
    const site = await newDeployment();
    await takedown(site.id, '--reason', 'Spam');
    await takedown(site.id, '--reason', 'Malware');
    const { text } = await site.visit();
    expect(text).toContain('Malware');
    expect(text).not.toContain('Spam');
    expect(await takedown(site.id)).toBe(`${site.url} is taken down, without a reason\n${DROPPED}`);
    expect((await site.visit()).text).not.toContain('Malware');
    await takedown(site.id, '--undo');
    expect(await takedown(site.id, '--undo')).toBe(`${site.url} is not taken down: it is online\n`);
    expect((await site.visit()).status).toBe(200);
  });

  it('keeps a deployment deleted that its owner deleted while it was taken down', async () => {
    const site = await newDeployment();
    await takedown(site.id);
    expect((await site.delete()).status).toBe(200);
    expect((await site.visit()).status).toBe(451);
    expect(await takedown(site.id, '--undo')).toContain('its owner deleted it');
    expect((await site.visit()).status).toBe(410);
  });

  const stateDir = temporaryFolder();
  it('takes the page down although CloudFront is unreachable, and says that copies are left', async () => {
    const site = await newDeployment();
    await untilCached(site.visitHashed);
    const controlEndpoint = `http://127.0.0.1:${await freePort()}`;
    writeFileSync(join(stateDir, 'operator.json'), JSON.stringify({ ...operator(), controlEndpoint }));
    await expect(operate(main, [site.id, '--yes'], stateDir)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('is taken down'),
      stderr: expect.stringMatching(/copies may be left .* run the command again/),
    });
    expect([(await site.visit()).status, (await site.visitHashed()).status]).toEqual([451, 200]);

    await takedown(site.id);
    expect((await site.visitHashed()).status).toBe(451);
  });

  it('works on a stack by its outputs', async () => {
    const { outputs, endpoint, controlEndpoint, region, accessKeyId, secretAccessKey } = operator();
    const asked: string[] = [];
    const cloudFormation = createServer(async (request, response) => {
      asked.push(Buffer.concat(await request.toArray()).toString());
      const members = Object.entries(outputs).map(
        ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
      );
      response.end(
        `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>ptp-prod</StackName><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
      );
    });
    await new Promise<void>((resolve) => cloudFormation.listen(0, '127.0.0.1', resolve));
    // The AWS SDK reads its settings from the variables of its process.
    const env = {
      ...process.env,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_ENDPOINT_URL_CLOUDFORMATION: `http://127.0.0.1:${(cloudFormation.address() as AddressInfo).port}`,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_ENDPOINT_URL_CLOUDFRONT: controlEndpoint,
      STATE_DIR: '/nowhere',
    };
    try {
      const site = await newDeployment();
      await untilCached(site.visitHashed);
      const command = ['cli/takedown.ts', site.id, '--yes', '--stack', 'ptp-prod'];
      const { stdout } = await promisify(execFile)(process.execPath, command, { env });
      expect(stdout).toContain(site.url);
      expect(asked.map((form) => new URLSearchParams(form).get('StackName'))).toEqual(['ptp-prod']);
      expect((await site.visit()).status).toBe(451);
    } finally {
      cloudFormation.closeAllConnections();
      cloudFormation.close();
    }
  });

  it.each([
    ['Name one to take down: a deployment, --key, --address or --caller-of', []],
    ['Name one to take down: a deployment, --key, --address or --caller-of', ['abcdefghijkl', '--key', 'abcdefghijkl']],
    ['--key needs the ID of a key', ['--key', 'nonsense']],
    ['Invalid --address example.com: expected an IP address', ['--address', 'example.com']],
    ['--revoke needs --key or --caller-of', ['--address', '203.0.113.7', '--revoke']],
    ['--revoke needs --key or --caller-of, and no --undo', ['--key', 'abcdefghijkl', '--revoke', '--undo']],
    ['abc is neither the id of a deployment nor the URL', ['abc']],
    ['is neither the id of a deployment nor the URL', ['https://example.com/']],
    ['Unexpected argument: b c. Run ', ['abcdefghijkl', '--reason', 'a', 'b', 'c']],
    ['--reason has 501 characters: at most 500 are allowed', ['abcdefghijkl', '--reason', 'x'.repeat(501)]],
    ['--undo and --reason cannot be combined', ['abcdefghijkl', '--undo', '--reason', 'x']],
    ["Unknown option '--raeson': did you mean --reason? Run ", ['abcdefghijkl', '--raeson', 'x']],
  ])('explains a mistake: %s', async (message, args) => {
    await expect(takedown(...args)).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  describe('of a caller', () => {
    const visits = (...sites: { id: string }[]) =>
      Promise.all(sites.map(async ({ id }) => (await newCaller(running.baseUrl).send(`/d/${id}/`)).status));
    const newKey = async (...args: string[]) =>
      (await operate(keysMain, ['create', '--name', 'abuser', ...args], running.stateDir)).trim();
    const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

    it('takes what an address deployed without a key, and brings back what that took down', async () => {
      const caller = newCaller(running.baseUrl);
      const post = async (title: string, path = '/api/v1/deploy') =>
        caller.post(path, { files: [{ path: 'index.html', content: title }] });
      const deploy = async (title: string) => (await post(title)).json as { id: string; url: string };
      const [one, alone] = [await deploy('one'), await deploy('alone')];
      const claimed = await post('claimed');
      const token = { 'x-deployment-token': String(claimed.headers['x-deployment-token']) };
      const claim = await caller.post(`/api/v1/deployments/${claimed.json.id}/claim`, undefined, {
        ...token,
        ...bearer(await newKey()),
      });
      const stored = await post('stored', '/api/v1/deploy/staged');
      const staged = (await caller.send(new URL(String(stored.headers.location)).pathname)).json;
      const { json: generated } = await caller.post('/api/v1/generate', { prompt: 'a quiz', deploy: true });
      const other = await newDeployment();
      expect([claim.status, stored.status, generated.deployment.id]).toEqual([200, 303, expect.any(String)]);
      await takedown(alone.id, '--reason', 'Alone');

      const sites = [one, staged, generated.deployment];
      // The list of an address lags behind its deploys.
      const listed = () => takedown('--address', caller.address, '--undo');
      while (!(await listed()).includes('Unchanged: 4, not taken down'));
      const text = await takedown('--address', caller.address, '--reason', 'Phishing');
      expect(text).toBe(
        `3 pages are taken down, with the reason: Phishing\nUnchanged: 1, taken down one by one\nUnchanged: 1, claimed by a key since, whose pages --key takes\n${DROPPED}`,
      );
      expect(await visits(...sites, alone, claimed.json, other)).toEqual([451, 451, 451, 451, 200, 200]);

      // A run that was interrupted is run again.
      expect(await takedown('--address', caller.address)).toContain('3 pages are taken down, without a reason');
      expect(await takedown('--address', caller.address, '--undo')).toContain('3 pages are no longer taken down');
      expect(await visits(...sites, alone, other)).toEqual([200, 200, 200, 451, 200]);
      expect(await takedown('--address', newCaller().address)).toMatch(/^There are no pages of the address 127/);
    });

    it('takes the pages of a key and of its rotations, and revokes them', async () => {
      const caller = newCaller(running.baseUrl);
      const first = await newKey();
      const second = (await operate(keysMain, ['rotate', first], running.stateDir)).trim();
      const deploy = async (key: string) =>
        (await caller.post('/api/v1/deploy', files('Mine'), bearer(key))).json as { id: string };
      const sites = [await deploy(first), await deploy(second), await deploy(second)];
      const bystander = await deploy(await newKey());
      await waitForList(second, sites.length);
      const id = first.split('_')[1] ?? '';
      const text = await takedown('--key', id, '--reason', 'Spam', '--revoke');
      expect(text).toContain('3 pages are taken down, with the reason: Spam');
      expect(text.match(/^Key \w+ is revoked$/gm)).toHaveLength(2);
      expect(await visits(...sites, bystander)).toEqual([451, 451, 451, 200]);
      const keys = await operate(keysMain, ['list'], running.stateDir);
      for (const key of [first, second]) expect(keys).toMatch(new RegExp(`${key.split('_')[1]}.*revoked`));
      const page = sites[0]?.id ?? '';
      expect(await takedown('--caller-of', page, '--undo')).toContain('3 pages are no longer taken down');
      expect(await visits(...sites)).toEqual([200, 200, 200]);
    });

    async function waitForList(key: string, count: number) {
      const caller = newCaller(running.baseUrl);
      const list = () => caller.send('/api/v1/deployments', { headers: bearer(key) });
      while ((await list()).json.items.length < count) await new Promise((done) => setTimeout(done, 50));
    }

    it('says what it would do, and does nothing where nobody can be asked', async () => {
      const caller = newCaller(running.baseUrl);
      const { json } = await caller.post('/api/v1/deploy', files('Fine'));
      const unasked = () =>
        operate(main, ['--address', caller.address], running.stateDir).catch((error: unknown) => error);
      // The list of an address lags behind its deploys.
      let result = await unasked();
      while (typeof result === 'string') result = await unasked();
      expect(result).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('there is no terminal: add --yes'),
      });
      await expect(takedown('--key', 'abcdefghijkl')).rejects.toMatchObject({
        code: 1,
        stderr: 'There is no key abcdefghijkl\n',
      });
      expect(await visits(json)).toEqual([200]);
    });
  });

  it('fails for a deployment that does not exist', async () => {
    await expect(takedown('abcdefghijkl')).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'There is no deployment abcdefghijkl\n',
    });
  });

  it('changes nothing without --yes where nobody can be asked', async () => {
    const site = await newDeployment();
    await expect(operate(main, [site.id], running.stateDir)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no terminal: add --yes'),
    });
    expect((await site.visit()).status).toBe(200);
  });
});
