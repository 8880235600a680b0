import { setTimeout as sleep } from 'node:timers/promises';
import type { DeploymentResource } from '../../lambda/contract/deploy.ts';
import type { DeploymentList } from '../../lambda/contract/responses/lists.ts';
import { check, expectError, expectHeader, expectStatus, SkippedError } from '../support/stage/checks.ts';
import type { Http } from '../support/stage/http.ts';
import { onStage } from '../support/stage/on-stage.ts';
import { publish } from '../support/stage/session.ts';
import { hashedName } from '../support/stage/site.ts';
import { edgeSeconds, expectVisible, settle } from '../support/stage/visible.ts';

const LOGS = 'The log groups *-DeploymentsApiLogs* and *-DeploymentsSiteLogs*';

const POLL_MS = 1_000;

const MAX_WAIT_MS = 600_000;

/** An index of DynamoDB usually lags by less than a second. */
const LIST = { pollMs: 200, waitMs: 60_000 };

onStage({
  name: 'rollback',
  title: 'A rollback makes an older version live at once',
  means: 'The pointer does not move, or the edge or the site function keeps the newer version.',
  lookAt: LOGS,
  run: async (session) => {
    const { id, previous } = await session.siteOfTwo();
    const back = await session.api('POST', `/api/v1/deployments/${id}/rollback`, {
      json: { version: previous.id },
      headers: session.ownership,
    });
    expectStatus(back, 200);
    expectHeader(back, 'ETag', `"${previous.id}"`);
    session.rolledBack();
    return expectVisible(session, previous.n);
  },
});

onStage({
  name: 'download',
  title: 'The download is a zip of the live version',
  means: 'The download function cannot read the archive, or its streamed response is lost on the way.',
  lookAt: 'The log group *-DeploymentsDownloadLogs*. CloudFront > Behaviors > /d/????????????.zip',
  run: async (session) => {
    const { id, live } = await session.site();
    const zip = await session.http.send(new URL(`/d/${id}.zip`, session.options.baseUrl));
    expectStatus(zip, 200);
    expectHeader(zip, 'Content-Type', 'application/zip');
    // Archives are not compressed, so the text of a file is in them as it is.
    const whole = zip.text.startsWith('PK\x03\x04') && zip.bytes.includes('PK\x05\x06');
    check(whole, `${zip.request} returned ${zip.bytes.length} bytes that are not a complete zip`);
    check(zip.text.includes(`<title>Version ${live.n}<`), `${zip.request} does not contain version ${live.n}`);
    return `${zip.bytes.length} bytes`;
  },
});

onStage({
  name: 'list',
  title: 'The deployment is in the list of its key, with its live version',
  means: 'The function may not query the index of its table, or the index is still being created.',
  lookAt: 'The log group *-DeploymentsApiLogs*, and DynamoDB > Tables > *-Deployments* > Indexes: ByOwner',
  run: async (session) => {
    if (!session.options.key) throw new SkippedError('pass --key');
    const { id, live } = await session.site();
    const begin = performance.now();
    for (;;) {
      const response = await session.api('GET', '/api/v1/deployments?limit=100');
      expectStatus(response, 200);
      const listed = response.json<DeploymentList>().items.find((item) => item.id === id);
      const ms = performance.now() - begin;
      if (listed) {
        const { version } = listed;
        check(version === live.id, `${response.request} lists version ${version} instead of ${live.id}`);
        return `after ${(ms / 1_000).toFixed(1)} s`;
      }
      check(ms < LIST.waitMs, `${response.request} does not list ${id} after ${LIST.waitMs / 1_000} s`);
      await sleep(LIST.pollMs);
    }
  },
});

onStage({
  name: 'delete',
  title: 'A deleted deployment is a 410, and its copies at the edge are gone in the promised time',
  means: 'A page stays visible after its owner deleted it.',
  lookAt:
    `${LOGS}, the executions of the state machine for invalidations in the Step Functions console, and CloudFront > ` +
    'Distributions > Invalidations',
  run: async (session) => {
    const site = await session.site();
    await settle(session);
    const { http } = session;
    const file = new URL(hashedName(site.live.n), site.url);
    const page = await http.send(site.url);
    // The edge keeps a copy of the file from now on.
    expectStatus(await http.send(file), 200);
    const deleted = await session.delete();
    check(deleted !== undefined, 'There is no deployment');
    expectStatus(deleted, 200);
    const { id, status, deletedAt, copiesUntil } = deleted.json<Record<string, unknown>>();
    check(
      id === site.id && status === 'deleted' && Number(copiesUntil) >= Number(deletedAt),
      `${deleted.request} returned ${deleted.text}`,
    );
    const gone = await session.api('GET', `/api/v1/deployments/${site.id}`, { headers: session.ownership });
    expectError(gone, 410);
    if (edgeSeconds(page) === 0) expectStatus(await http.send(site.url), 410);
    const promisedMs = Number(copiesUntil) - Number(deletedAt);
    const waitMs = Math.min(promisedMs, MAX_WAIT_MS);
    const ms = await untilGone([file, site.url], waitMs, http);
    if (ms !== undefined) return `copies gone after ${(ms / 1_000).toFixed(1)} s of ${promisedMs / 1_000}`;
    check(waitMs < promisedMs, `Copies are still at the edge after ${promisedMs / 1_000} s`);
    return `copies are promised to be gone after ${promisedMs / 1_000} s`;
  },
});

/** Returns after how many milliseconds all URLs were a 410, or undefined if one was not until the end. */
async function untilGone(urls: readonly URL[], waitMs: number, http: Http): Promise<number | undefined> {
  const begin = performance.now();
  for (const url of urls) {
    while ((await http.send(url)).status !== 410) {
      if (performance.now() - begin > waitMs) return undefined;
      await sleep(POLL_MS);
    }
  }
  return performance.now() - begin;
}

/** The shortest life that the contract accepts. */
const LIFE_SECONDS = 60;

onStage({
  name: 'claim',
  title: 'A page that was published without a key expires and is not indexed, until a key claims it',
  means: 'Pages of strangers stay for ever, or a person who made one cannot keep it.',
  lookAt: `${LOGS}, deployments.anonymousDays of the configuration, and the attributes endsAt and owner of the item`,
  run: async (session) => {
    const credential = session.options.key ?? session.options.token;
    if (!credential) throw new SkippedError('pass --key or --token');
    const { id, path, response, ownership } = await publish(session, {}, '');
    expectHeader(response, 'Link', /\/claim>; rel="claim"/);
    const expires = response.headers['x-deployment-expires'];
    const page = new URL(`/d/${id}/`, session.options.baseUrl);
    const shown = await session.http.send(page);
    expectStatus(shown, 200);
    expectHeader(shown, 'X-Robots-Tag', 'noindex');
    const claimed = await session.api('POST', `${path}/claim`, { credential, headers: ownership });
    expectStatus(claimed, 200);
    const { owner, expiresAt } = claimed.json<DeploymentResource>();
    check(owner !== 'anonymous', `${claimed.request} left the deployment without an owner`);
    check(expiresAt === undefined, `${claimed.request} left the deployment to expire at ${expiresAt}`);
    expectError(await session.api('GET', path, { credential: '', headers: ownership }), 401);
    expectHeader(await session.http.send(page), 'X-Robots-Tag', '');
    if (expires === undefined) return 'anonymous pages stay (deployments.anonymousDays is 0)';
    return `it would have expired after ${Math.round((Number(expires) - Date.now()) / 86_400_000)} days`;
  },
});

onStage({
  name: 'expiry',
  title: 'A page is a 410 from the second in which it expires',
  means: 'Pages outlast their life, or the edge shows copies of them.',
  lookAt: `${LOGS}, and CloudFront > Distributions > Behaviors > /d/*: the cache policy`,
  run: async (session) => {
    if (!session.options.slow) throw new SkippedError('it waits for a minute: pass --slow');
    const { id, path, response, ownership } = await publish(session, { expiresInSeconds: LIFE_SECONDS });
    expectHeader(response, 'X-Deployment-Expires', /^\d{13}$/);
    const page = new URL(`/d/${id}/`, session.options.baseUrl);
    expectStatus(await session.http.send(page), 200);
    // Clocks differ by less than that.
    await sleep(Number(response.headers['x-deployment-expires']) - Date.now() + 2_000);
    const expired = await session.http.send(page);
    expectStatus(expired, 410);
    check(expired.text.includes('Expired'), `${expired.request} does not say that the page has expired`);
    expectError(await session.api('GET', path, { headers: ownership }), 410);
    return 'Sweep deletes its objects within an hour';
  },
});
