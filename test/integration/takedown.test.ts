import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { OperatorFile } from '../../local/cloud/cloud.ts';
import { newCaller } from './client.ts';
import { cloud } from './cloud.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

/** A command as an operator types it; what it prints on stdout. */
async function operate(
  command: 'keys' | 'takedown',
  args: readonly string[],
  env: Record<string, string> = { STATE_DIR: cloud().stateDir },
): Promise<string> {
  const { stdout } = await run(process.execPath, [`cli/${command}.ts`, ...args], {
    env: { ...process.env, ...env },
  });
  return stdout;
}
const takedown = (...args: string[]) => operate('takedown', args);

const operator = (): OperatorFile =>
  JSON.parse(readFileSync(join(cloud().stateDir, 'operator.json'), 'utf8'));

function files(title: string, projectId?: string) {
  return { files: [{ path: 'index.html', content: `<title>${title}</title>` }], projectId };
}

/** A deployment of a project of its own, with everything that its owner and its visitors can do. */
async function newDeployment() {
  const caller = newCaller();
  const projectId = `takedown-${Math.random()}`;
  const { json, headers } = await caller.post('/api/v1/deploy', files('Fine', projectId));
  const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
  const resource = `/api/v1/deployments/${json.id}`;
  return {
    id: json.id as string,
    url: json.url as string,
    version: JSON.parse(String(headers.etag)) as string,
    visit: () => caller.send(`/d/${json.id}/`),
    download: () => caller.send(`/d/${json.id}.zip`),
    deploy: () => caller.post('/api/v1/deploy', files('Again', projectId)),
    status: async () => (await caller.send(resource, { headers: token })).json.status,
    rollBack: (version: string) => caller.post(`${resource}/rollback`, { version }, token),
    delete: () => caller.send(resource, { method: 'DELETE', headers: token }),
  };
}

/** Visits until the answer comes from the edge. */
async function cachedAtEdge({ visit }: Pick<Awaited<ReturnType<typeof newDeployment>>, 'visit'>) {
  await visit();
  expect(await visit()).toMatchObject({ status: 200, headers: { 'x-cache': 'Hit from cloudfront' } });
}

describe('npm run takedown', () => {
  it('answers 451 at once, whatever the edge holds, with the reason and nothing of the site', async () => {
    const [site, other] = [await newDeployment(), await newDeployment()];
    await cachedAtEdge(site);
    await cachedAtEdge(other);
    const reason = 'Phishing <b>of & for</b> "banks"';
    expect(await takedown(site.id, '--reason', reason)).toBe(
      `${site.url} is taken down, and visitors read: ${reason}\n`,
    );
    const page = await site.visit();
    expect(page).toMatchObject({
      status: 451,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    });
    expect(page.text).toContain('Phishing &#60;b&#62;of &#38; for&#60;/b&#62; &#34;banks&#34;');
    expect(page.text).not.toContain('Fine');
    expect((await site.download()).status).toBe(451);
    expect((await other.visit()).status).toBe(200);
  });

  it('lets nobody deploy or roll back, and the owner sees why', async () => {
    const site = await newDeployment();
    await takedown(site.id, '--reason', 'Spam');
    const refused = { status: 451, json: { error: 'The operator took this deployment down: Spam' } };
    expect(await site.deploy()).toMatchObject(refused);
    expect(await site.rollBack(site.version)).toMatchObject(refused);
    expect(await site.status()).toBe('taken_down');
  });

  it('is undone with --undo: the page is back, and can be deployed to', async () => {
    const site = await newDeployment();
    await takedown(site.id);
    expect((await site.visit()).status).toBe(451);
    expect(await takedown(site.id, '--undo')).toBe(`${site.url} is no longer taken down: it is online\n`);
    expect(await site.status()).toBe('live');
    expect((await site.visit()).text).toContain('Fine');
    expect((await site.deploy()).status).toBe(200);
    expect((await site.visit()).text).toContain('Again');
  });

  it('replaces the reason when repeated, and has nothing to undo the second time', async () => {
    const site = await newDeployment();
    await takedown(site.id, '--reason', 'Spam');
    await takedown(site.id, '--reason', 'Malware');
    const { text } = await site.visit();
    expect(text).toContain('Malware');
    expect(text).not.toContain('Spam');
    expect(await takedown(site.id)).toBe(`${site.url} is taken down, without a reason\n`);
    expect((await site.visit()).text).not.toContain('Malware');
    await takedown(site.id, '--undo');
    expect(await takedown(site.id, '--undo')).toBe(`${site.url} is not taken down: it is online\n`);
    expect((await site.visit()).status).toBe(200);
  });

  it('stays deleted what its owner deleted meanwhile', async () => {
    const site = await newDeployment();
    await takedown(site.id);
    expect((await site.delete()).status).toBe(204);
    expect((await site.visit()).status).toBe(451);
    expect(await takedown(site.id, '--undo')).toContain('its owner deleted it');
    expect((await site.visit()).status).toBe(410);
  });

  it.each([
    ['the URL', (id: string) => `${cloud().baseUrl}/d/${id}`],
    ['a page under it', (id: string) => `${cloud().baseUrl}/d/${id}/deep/page?a=1#b`],
    ['the download', (id: string) => `${cloud().baseUrl}/d/${id}.zip`],
    ['the service by another name', (id: string) => `https://ptp.example.com/d/${id}/`],
    ['an origin of its own', (id: string) => `https://${id}.sites.example/page`],
    ['a path on it that names another', (id: string) => `https://${id}.sites.example/d/abcdefghijkl/`],
  ])('takes %s for the id', async (_, address) => {
    const site = await newDeployment();
    expect(await takedown(address(site.id))).toContain(site.url);
    expect((await site.visit()).status).toBe(451);
  });

  it('changes nothing when the edge cannot be told, and says so', async () => {
    const site = await newDeployment();
    await cachedAtEdge(site);
    const stateDir = mkdtempSync(join(tmpdir(), 'ptp-takedown-'));
    const controlEndpoint = `http://127.0.0.1:${await freePort()}`;
    writeFileSync(join(stateDir, 'operator.json'), JSON.stringify({ ...operator(), controlEndpoint }));
    await expect(operate('takedown', [site.id], { STATE_DIR: stateDir })).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/CDN cache could not be invalidated; nothing was changed/),
    });
    expect([await site.status(), (await site.visit()).status]).toEqual(['live', 200]);

    await takedown(site.id);
    expect((await site.visit()).status).toBe(451);
    rmSync(stateDir, { recursive: true });
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
    const env = {
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
      await cachedAtEdge(site);
      expect(await operate('takedown', [site.id, '--stack', 'ptp-prod'], env)).toContain(site.url);
      expect(asked.map((form) => new URLSearchParams(form).get('StackName'))).toEqual(['ptp-prod']);
      expect((await site.visit()).status).toBe(451);
    } finally {
      cloudFormation.closeAllConnections();
      cloudFormation.close();
    }
  });

  it.each([
    ['Missing argument: the id or URL of a deployment', []],
    ['There is no deployment abcdefghijkl', ['abcdefghijkl']],
    ['abc is neither the id of a deployment nor the URL', ['abc']],
    ['is neither the id of a deployment nor the URL', ['https://example.com/']],
    ['a reason in quotes: what is b c?', ['abcdefghijkl', '--reason', 'a', 'b', 'c']],
    ['--reason is at most 500 characters', ['abcdefghijkl', '--reason', 'x'.repeat(501)]],
    ['--undo takes no --reason', ['abcdefghijkl', '--undo', '--reason', 'x']],
    ['Unknown option --raeson: the options are --reason, ', ['abcdefghijkl', '--raeson', 'x']],
  ])('says what is wrong: %s', async (message, args) => {
    await expect(takedown(...args)).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});

it.each(['keys', 'takedown'] as const)('npm run %s -- --help prints the usage', async (command) => {
  const usage = await operate(command, ['--help']);
  expect(usage).toContain(`npm run ${command} -- `);
  expect(await operate(command, ['-h'])).toBe(usage);
});
