import { setTimeout as sleep } from 'node:timers/promises';
import type { DeploymentResource } from '../../lambda/contract/deploy.ts';
import { check, expectHeader, expectStatus, SkippedError } from '../support/stage/checks.ts';
import type { SmokeResponse } from '../support/stage/http.ts';
import { onStage } from '../support/stage/on-stage.ts';
import { NAVIGATION, type Published, publish, type Session } from '../support/stage/session.ts';
import { hashedName } from '../support/stage/site.ts';
import { edgeSeconds } from '../support/stage/visible.ts';

const PASSWORD = 'smoke test of a private page';

const NOT_FROM_THE_EDGE = /^(?!(?:RefreshHit|Hit) from)/;

const POLL_MS = 1_000;

onStage({
  name: 'private',
  title: 'A page that becomes private opens with its password and its link only, and leaves no copies at the edge',
  means: 'Strangers see private pages, or those who may see them do not.',
  lookAt:
    'The log groups *-DeploymentsApiLogs* and *-DeploymentsSiteLogs*, CloudFront > Distributions > Invalidations, and Behaviors of the ' +
    'distribution of sites: the origin request policy passes the cookie on, and the cache policy does not have it in its key',
  run: async (session) => {
    const { id, url } = await session.site();
    if (url.origin === session.options.baseUrl.origin)
      throw new SkippedError('the stage has no siteDomain, without which pages cannot be private');
    const published = await publish(session, {});
    const site = new URL(url.href.replace(id, published.id));
    const file = new URL(hashedName(1), site);
    const { http } = session;
    // The edge keeps copies of both from now on.
    const open = await http.send(site);
    expectStatus(open, 200);
    expectStatus(await http.send(file), 200);

    const begin = performance.now();
    const closed = await change(session, published, { access: 'password', password: PASSWORD });
    const promisedMs = (closed.copiesUntil ?? Number.NaN) - Date.now();
    check(promisedMs > 0, 'The response does not say until when the edge may have copies (copiesUntil)');
    if (edgeSeconds(open) === 0) expectStatus(await http.send(site), 403);
    for (const place of [site, file]) await untilClosed(session, place, begin + promisedMs);
    const goneMs = performance.now() - begin;
    for (const place of [site, file, new URL(`/d/${published.id}.zip`, session.options.baseUrl)])
      expectRefused(await http.send(place));

    const cookie = await enter(session, await unlockAt(session, published, site));
    for (const place of [site, file]) await expectOpen(session, place, cookie);
    const { link } = await change(session, published, { access: 'link' });
    check(link !== undefined, 'The response to a change to access: "link" has no link');
    expectRefused(await http.send(site, { headers: { cookie } }));
    await expectOpen(session, site, await enter(session, new URL(link.url)));
    return `copies gone after ${(goneMs / 1_000).toFixed(1)} s of ${Math.round(promisedMs / 1_000)}`;
  },
});

async function change(session: Session, { path, ownership }: Published, json: object) {
  const changed = await session.api('PATCH', path, { json, headers: ownership });
  expectStatus(changed, 200);
  return changed.json<DeploymentResource>();
}

/** Sends the form of the page. Returns where it leads. */
async function unlockAt(session: Session, { path }: Published, site: URL): Promise<URL> {
  const sent = await session.api('POST', `${path}/unlock`, {
    body: new URLSearchParams({ password: PASSWORD, to: '/' }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    credential: '',
  });
  expectStatus(sent, 303);
  const { location = '' } = sent.headers;
  check(location.startsWith(site.href), `${sent.request} leads to ${location} instead of ${site.href}`);
  check(!location.includes('ptp-closed'), `${sent.request} refuses the password: ${location}`);
  return new URL(location);
}

/** Opens a private page by a link. Returns the cookie with which it stays open. */
async function enter({ http }: Session, link: URL): Promise<string> {
  const entered = await http.send(link, { headers: NAVIGATION });
  expectStatus(entered, 303);
  expectHeader(entered, 'Set-Cookie', /HttpOnly/);
  return String(entered.headers['set-cookie']).split(';')[0] ?? '';
}

async function expectOpen({ http }: Session, place: URL, cookie: string): Promise<void> {
  const page = await http.send(place, { headers: { cookie } });
  expectStatus(page, 200);
  expectHeader(page, 'Cache-Control', 'private, no-store, stale-if-error=0');
  expectHeader(page, 'X-Cache', NOT_FROM_THE_EDGE);
}

function expectRefused(page: SmokeResponse): void {
  expectStatus(page, 403);
  expectHeader(page, 'X-Cache', NOT_FROM_THE_EDGE);
}

/** Waits until the edge has no copy. @param end of the wait, on the clock of `performance` */
async function untilClosed({ http }: Session, place: URL, end: number): Promise<void> {
  for (;;) {
    const page = await http.send(place);
    if (page.status === 403) return;
    check(performance.now() < end, `${page.request} returns ${page.status} after the end of copiesUntil`);
    await sleep(POLL_MS);
  }
}
