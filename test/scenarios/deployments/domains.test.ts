import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { main as keys } from '../../../cli/keys.ts';
import { main as takedown } from '../../../cli/takedown.ts';
import type { OperatorFile } from '../../../local/cloud/cloud.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { newCaller, type TestResponse } from '../../support/cloud/client.ts';
import { operate } from '../../support/cloud/keys.ts';
import { untilCached } from '../../support/cloud/sites.ts';
import { NO_RATE_LIMIT, startVariant } from '../../support/cloud/variant.ts';
import { ptp } from '../../support/ptp.ts';

/** Everything that takes CloudFront minutes takes a moment. */
const QUICK = { effect: [0.05, 0.1], completion: [0.1, 0.2] } as const;

const HASHED = 'app-BkC3x9aZ.js';

const options = { invalidationSeconds: QUICK, updateSeconds: QUICK };
const cloud = closeAtEnd(await startVariant(NO_RATE_LIMIT, options, withoutPauses));
const operator = JSON.parse(readFileSync(join(cloud.stateDir, 'operator.json'), 'utf8')) as OperatorFile;
const target = operator.outputs.DomainTarget ?? '';

/** Lets the machine that sets up domains take its steps one after the other. */
function withoutPauses(properties: Record<string, unknown>, type: string, logicalId: string): void {
  if (type !== 'AWS::StepFunctions::StateMachine' || !logicalId.includes('Domains')) return;
  const definition = JSON.stringify(properties.DefinitionString);
  const quick = definition.replace(String.raw`\"SecondsPath\":\"$.waitSeconds\"`, String.raw`\"Seconds\":0`);
  expect(quick).not.toBe(definition);
  properties.DefinitionString = JSON.parse(quick);
}

const records: Record<string, object> = {};

function setDns(changes: Record<string, object | undefined>): void {
  for (const [name, record] of Object.entries(changes)) {
    if (record) records[name] = record;
    else delete records[name];
  }
  writeFileSync(join(cloud.stateDir, 'dns.json'), JSON.stringify(records));
}

/** A deployment of an owner of its own, and what the owner can do with it. */
async function newSite(title: string, key?: string) {
  const credential = key ?? (await operate(keys, ['create', '--name', 'domains'], cloud.stateDir)).trimEnd();
  const headers = { authorization: `Bearer ${credential}` };
  const caller = newCaller(cloud.baseUrl);
  const files = [
    { path: 'index.html', content: `<title>${title}</title>` },
    { path: HASHED, content: title },
  ];
  const deploy = () => caller.post('/api/v1/deploy', { files, projectId: 'site' }, headers);
  const { json } = await deploy();
  const path = `/api/v1/deployments/${json.id}`;
  const resource = () => caller.send(path, { headers });
  const find = async (domain: string) =>
    (await resource()).json.domains.find((one: { domain: string }) => one.domain === domain);
  return {
    id: json.id as string,
    key: credential,
    path,
    headers,
    deploy,
    resource,
    find,
    put: (domain: string) => caller.send(`${path}/domains/${domain}`, { method: 'PUT', headers }),
    remove: (domain: string) => caller.send(`${path}/domains/${domain}`, { method: 'DELETE', headers }),
    delete: () => caller.send(path, { method: 'DELETE', headers }),
    until: (domain: string, state: string | undefined) =>
      until(
        () => find(domain),
        (found) => found?.state === state,
      ),
  };
}

async function until<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    await sleep(30);
  }
}

const visit = (domain: string, path = '/', edge = 0): Promise<TestResponse> =>
  newCaller(`http://${domain}:${new URL(cloud.baseUrl).port}`).send(path, {
    headers: { 'x-local-edge': String(edge) },
  });

/** Creates the records that the API names. */
function follow({ records: wanted }: { records: { type: string; name: string; value: string }[] }): void {
  const texts = (name: string) => wanted.filter((one) => one.type === 'TXT' && one.name === name);
  for (const { type, name, value } of wanted) {
    if (type === 'TXT') setDns({ [name]: { TXT: texts(name).map((one) => one.value) } });
    if (type === 'CNAME') setDns({ [name]: { CNAME: value } });
  }
}

it('the life of a domain: records, active, refused to others, removed, and free again', async () => {
  const domain = 'www.example.com';
  const [owner, other] = [await newSite('Of the owner'), await newSite('Of someone else')];
  const added = (await owner.put(domain)).json;
  expect(added.records).toEqual([
    { type: 'TXT', name: `_ptp-challenge.${domain}`, value: expect.stringMatching(/^ptp-domain=.{32}$/) },
    { type: 'CNAME', name: domain, value: target },
  ]);
  // Someone else asks for the domain, too: the record of the owner does not serve them.
  await other.put(domain);
  setDns({ [domain]: { CNAME: target } });
  await until(
    () => other.find(domain),
    (found) => found?.reason?.includes('TXT'),
  );
  expect((await visit(domain)).status).toBe(403);
  follow(added);
  await owner.until(domain, 'active');
  expect(await visit(domain)).toMatchObject({ status: 200, text: '<title>Of the owner</title>' });
  expect(await other.find(domain)).toMatchObject({ state: 'waiting_for_dns' });

  // The owner deletes the deployment and forgets the records: they lead to nothing.
  expect((await owner.delete()).status).toBe(200);
  expect((await visit(domain)).status).toBeGreaterThanOrEqual(403);
  await until(
    () => visit(domain),
    ({ status, text }) => status === 403 && text.includes('no distribution tenant'),
  );
  const squatter = await newSite('Of a squatter');
  await squatter.put(domain);
  await until(
    () => squatter.find(domain),
    (found) => found?.reason?.includes('TXT'),
  );
  expect((await visit(domain)).status).toBe(403);
  // Whoever controls the DNS decides.
  follow(await other.find(domain));
  await other.until(domain, 'active');
  expect((await visit(domain)).text).toBe('<title>Of someone else</title>');
});

it('names three records for the apex of a zone', async () => {
  const site = await newSite('Apex');
  setDns({ 'shop.co.uk': { SOA: 'ns.example.net' } });
  const added = (await site.put('shop.co.uk')).json;
  expect(added.records.slice(1)).toEqual([
    { type: 'ALIAS', name: 'shop.co.uk', value: target },
    { type: 'TXT', name: '_cf-challenge.shop.co.uk', value: target },
  ]);
  follow(added);
  await site.until('shop.co.uk', 'active');
  expect((await visit('shop.co.uk')).text).toContain('Apex');
});

it('ends copies at all edges of the domain: on takedown, for which its URL will do, and on deletion', async () => {
  const site = await newSite('Cached');
  await site.put('cached.localhost');
  await site.until('cached.localhost', 'active');
  const EDGES = [0, 1, 2, 3, 4];
  const statuses = () =>
    Promise.all(EDGES.map(async (edge) => (await visit('cached.localhost', `/${HASHED}`, edge)).status));
  const cached = async () => {
    for (const edge of EDGES) await untilCached(() => visit('cached.localhost', `/${HASHED}`, edge));
  };
  await cached();
  const url = 'http://cached.localhost/x';
  expect(await operate(takedown, [url, '--yes'], cloud.stateDir)).toContain(site.id);
  expect(await statuses()).toEqual(EDGES.map(() => 451));
  await operate(takedown, [url, '--undo', '--yes'], cloud.stateDir);
  await cached();
  await site.delete();
  // First the copies end, then the domain.
  await until(statuses, (all) => all.every((status) => status === 410 || status === 403));
  await until(statuses, (all) => all.every((status) => status === 403));
});

it('accepts reports of a page by its URL on the domain, whose path cannot imitate another deployment', async () => {
  const [site, innocent] = [await newSite('Reported'), await newSite('Innocent')];
  await site.put('reported.localhost');
  await site.until('reported.localhost', 'active');
  const report = async (url: string) => {
    const { status, json } = await newCaller(cloud.baseUrl).post('/api/v1/reports', { url, reason: 'spam' });
    return [status, json.deploymentId];
  };
  expect(await report('reported.localhost/a')).toEqual([202, site.id]);
  expect(await report(`http://reported.localhost/d/${innocent.id}/`)).toEqual([202, site.id]);
  expect(await report(`http://reported.localhost./d/${innocent.id}/`)).toEqual([202, site.id]);
  expect(await report('https://unknown.localhost/')).toEqual([400, undefined]);
  expect(await report('https://[::1]/')).toEqual([400, undefined]);
  expect(await report(`${cloud.baseUrl}/d/${innocent.id}/`)).toEqual([202, innocent.id]);
});

it('ptp domains adds a domain with its records, waits for it, lists and removes it', async () => {
  const { id, key, until: untilState } = await newSite('From the command line');
  const env = { PTP_URL: cloud.baseUrl, PTP_API_KEY: key };
  const run = (...args: string[]) => ptp(['domains', ...args], { env });
  expect(await run('list', id)).toEqual({
    code: 0,
    stdout: '',
    stderr: `Deployment ${id} has no domains\n`,
  });
  const added = await run('add', 'ptp.example.com', id);
  expect(added).toMatchObject({ code: 0, stderr: 'ptp.example.com waits for its DNS records\n' });
  expect(added.stdout).toMatch(/^TXT\t_ptp-challenge\.ptp\.example\.com\tptp-domain=\S{32}\n/);
  expect(added.stdout).toMatch(new RegExp(`\nCNAME\tptp\\.example\\.com\t${target}\n$`));
  const url = `http://ptp.localhost:${new URL(cloud.baseUrl).port}/`;
  expect(await run('add', 'ptp.localhost', id, '--wait')).toMatchObject({
    code: 0,
    stdout: `${url}\n`,
    stderr: expect.stringMatching(/✓ ptp\.localhost serves the pages\n$/),
  });
  expect((await run('list', id)).stdout).toMatch(
    /^ptp\.example\.com\twaiting_for_dns\tThere is no TXT record .*\nptp\.localhost\tactive\t\n$/,
  );
  expect(await run('remove', 'ptp.localhost', id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('add --yes'),
  });
  expect(await run('remove', 'ptp.localhost', id, '--yes', '--json')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"state": "removing"'),
  });
  await untilState('ptp.localhost', undefined);
});
