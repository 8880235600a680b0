import { setTimeout as sleep } from 'node:timers/promises';
import type { DeploymentResource, DeployResponse } from '../../lambda/contract/deploy.ts';
import { check, expectError, expectHeader, expectStatus, SkippedError } from './checks.ts';
import type { SmokeResponse } from './http.ts';
import { DEPLOY, type Session } from './session.ts';
import { siteFiles } from './site.ts';
import type { Step } from './step.ts';

const LOGS = 'The log groups *-DeploymentsApiLogs* and *-DeploymentsSiteLogs*';
/** The shortest life that the contract accepts. */
const LIFE_SECONDS = 60;

/** A deployment of a step alone, which is deleted at the end. */
export interface Published {
  readonly id: string;
  /** The path of its resource. */
  readonly path: string;
  readonly response: SmokeResponse;
  /** Its token, unless it belongs to the session's key. */
  readonly ownership: Readonly<Record<string, string>>;
}

/** @param fields of the request besides the files @param credential replaces that of the session */
export async function publish(session: Session, fields: object, credential?: string): Promise<Published> {
  const sent = credential === undefined ? {} : { credential };
  const response = await session.api('POST', DEPLOY, { json: { files: siteFiles(1), ...fields }, ...sent });
  expectStatus(response, 201);
  const { id } = response.json<DeployResponse>();
  const path = `/api/v1/deployments/${id}`;
  const token = response.headers['x-deployment-token']?.toString();
  const ownership = token === undefined ? {} : { 'x-deployment-token': token };
  session.cleanUp(async () => {
    expectStatus(await session.api('DELETE', path, { headers: ownership }), 200, 410);
  });
  return { id, path, response, ownership };
}

const claim: Step = {
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
    expectHeader(await session.http.send(page), 'X-Robots-Tag', 'noindex');
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
};

const expiry: Step = {
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
};

export const KEEP_STEPS = [claim, expiry];
