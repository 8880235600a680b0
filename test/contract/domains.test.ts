import { setTimeout as sleep } from 'node:timers/promises';
import type { DeploymentResource, DomainResource } from '../../lambda/contract/deploy.ts';
import { newCaller } from '../support/cloud/client.ts';
import { cloud } from '../support/cloud/cloud.ts';
import { newKey } from '../support/cloud/keys.ts';
import { deploySite } from '../support/cloud/sites.ts';
import { check, expectStatus, SkippedError } from '../support/stage/checks.ts';
import type { Http, SmokeResponse } from '../support/stage/http.ts';
import { onStage } from '../support/stage/on-stage.ts';
import { publish, type Session } from '../support/stage/session.ts';
import { hashedName } from '../support/stage/site.ts';

const POLL_MS = 2_000;

/** For the operator to create the records, and for AWS to make the certificate. */
const ACTIVE_MS = 3_600_000;

/** For AWS to disable the domain everywhere, and to delete it. */
const REMOVED_MS = 1_800_000;

const VISITS = 5;

onStage({
  name: 'domain',
  title: 'A domain serves a page with a certificate, and nothing is left of it once the page is deleted',
  means: 'Domains of callers are never set up, show something else, or outlast the page.',
  lookAt:
    'The executions of the state machine Domains in the Step Functions console and the log group *-DomainsSettleLogs*, CloudFront > ' +
    'Distribution tenants, and AWS Certificate Manager in us-east-1',
  run: async (session) => {
    const { domain: name, key, token } = session.options;
    if (!name) throw new SkippedError('pass --domain, a name of yours: it prints the DNS records to create');
    const credential = key ?? token;
    if (!credential) throw new SkippedError('pass --key or --token');
    const published = await publish(session, {}, credential);
    const call = (method: string, path = '') => session.api(method, published.path + path, { credential });
    const added = await call('PUT', `/domains/${name}`);
    if (added.status === 404) throw new SkippedError('the stage has no custom domains (customDomains)');
    expectStatus(added, 200);
    const begin = performance.now();
    const url = await untilActive(added.json<DomainResource>(), () => call('GET'), session.options.say);
    const activeMs = performance.now() - begin;
    await expectServed(url, session);
    const [copiesMs, goneMs] = await untilGone(url, await call('DELETE'), session.http);
    return `active after ${seconds(activeMs)}, copies gone after ${seconds(copiesMs)}, the domain after ${seconds(goneMs)}`;
  },
});

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Says which records to create, and waits. Returns the URL at the domain. */
async function untilActive(
  added: DomainResource,
  read: () => Promise<SmokeResponse>,
  say: (text: string) => void,
): Promise<URL> {
  for (const { type, name, value } of added.records)
    say(`Create the DNS record ${type} ${name} with the value ${value}`);
  const end = performance.now() + ACTIVE_MS;
  let said = '';
  for (;;) {
    const { domains, siteUrl } = (await read()).json<DeploymentResource>();
    const found = domains.find(({ domain: name }) => name === added.domain);
    const { state = 'gone', reason } = found ?? {};
    const now = `${added.domain} is ${state}${reason === undefined ? '' : `: ${reason}`}`;
    check(!['failed', 'removing', 'gone'].includes(state), now);
    if (state === 'active') {
      check(siteUrl === added.url, `siteUrl of the deployment is ${siteUrl} instead of ${added.url}`);
      return new URL(added.url);
    }
    if (now !== said && added.records.length > 0) say(now);
    said = now;
    check(performance.now() < end, `${now}, after ${ACTIVE_MS / 60_000} minutes`);
    await sleep(POLL_MS);
  }
}

/** Checks that the domain has the page, and that its edges keep what may be kept. */
async function expectServed(url: URL, { http }: Session): Promise<void> {
  const page = await http.send(url);
  expectStatus(page, 200);
  check(page.text.includes('<title>Version 1<'), `${page.request} at ${url.host} is not the page`);
  const caches: string[] = [];
  for (let n = 0; n < VISITS; n++) {
    const file = await http.send(new URL(hashedName(1), url));
    expectStatus(file, 200);
    caches.push(String(file.headers['x-cache']));
  }
  check(
    caches.some((cache) => cache.startsWith('Hit')),
    `The edge answered none of ${VISITS} visits of a file: ${caches.join(', ')}`,
  );
}

/** Returns how many milliseconds after a deletion the copies at the edge were gone, and the domain itself. */
async function untilGone(url: URL, deleted: SmokeResponse, http: Http): Promise<[number, number]> {
  expectStatus(deleted, 200);
  const begin = performance.now();
  const { copiesUntil, deletedAt } = deleted.json<{ copiesUntil: number; deletedAt: number }>();
  const wait = async (place: URL, expected: readonly number[], limitMs: number) => {
    while (!expected.includes(await statusOf(place, http))) {
      check(performance.now() - begin < limitMs, `${place.href} still responds after ${seconds(limitMs)}`);
      await sleep(POLL_MS);
    }
    return performance.now() - begin;
  };
  const copiesMs = await wait(new URL(hashedName(1), url), [410, ...NO_DOMAIN], copiesUntil - deletedAt);
  return [copiesMs, await wait(url, NO_DOMAIN, REMOVED_MS)];
}

/** Without a tenant there is no certificate either: then no connection can be made. */
const NO_DOMAIN = [403, 0];

const statusOf = (url: URL, http: Http) =>
  http.send(url).then(
    ({ status }) => status,
    () => 0,
  );

/** A deployment of an owner of its own. */
async function newSite(title: string) {
  const key = { authorization: `Bearer ${await newKey()}` };
  const { call, path } = await deploySite({ 'index.html': `<title>${title}</title>` }, {}, key);
  return {
    path,
    headers: key,
    put: (domain: string) => call('PUT', `/domains/${domain}`),
    remove: (domain: string) => call('DELETE', `/domains/${domain}`),
    delete: () => call('DELETE'),
  };
}

it('requires the key that owns the deployment, and a name that it can have', async () => {
  const site = await newSite('Site');
  const caller = newCaller();
  const path = `${site.path}/domains/who.localhost`;
  for (const method of ['PUT', 'DELETE']) {
    expect(await caller.send(path, { method })).toMatchObject({ status: 401 });
    const stranger = await newSite('Stranger');
    expect(await caller.send(path, { method, headers: stranger.headers })).toMatchObject({ status: 403 });
  }
  const anonymous = await caller.post('/api/v1/deploy', { files: [{ path: 'index.html', content: '' }] });
  const theirs = `/api/v1/deployments/${anonymous.json.id}/domains/who.localhost`;
  const token = { 'x-deployment-token': String(anonymous.headers['x-deployment-token']) };
  expect(await caller.send(theirs, { method: 'PUT', headers: token })).toMatchObject({ status: 401 });
  expect(await caller.send(theirs, { method: 'PUT', headers: { ...token, ...site.headers } })).toMatchObject({
    status: 403,
    json: { error: expect.stringContaining('claim it') },
  });
  expect(await site.put('localhost')).toMatchObject({ status: 400 });
  expect(await site.put('*.example.com')).toMatchObject({ status: 400 });
  expect(await site.remove('who.localhost')).toMatchObject({ status: 404 });
  await site.delete();
  expect(await site.put('who.localhost')).toMatchObject({ status: 410 });
});

it('leads back to the domain that the form of a private page was sent from', async () => {
  const [access, key] = [{ access: 'password', password: 'correct horse' }, await newKey()];
  const headers = { authorization: `Bearer ${key}` };
  const { call, path } = await deploySite({ 'index.html': 'page' }, access, headers);
  await call('PUT', '/domains/form.localhost');
  const origin = `http://form.localhost:${new URL(cloud().baseUrl).port}`;
  const unlocked = await newCaller().post(`${path}/unlock`, { password: access.password }, { origin });
  expect([unlocked.status, new URL(String(unlocked.headers.location)).origin]).toEqual([303, origin]);
});
