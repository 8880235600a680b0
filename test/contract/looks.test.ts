import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeploymentResource, DeployResponse } from '../../lambda/contract/deploy.ts';
import { check, expectHeader, expectStatus, SkippedError } from '../support/stage/checks.ts';
import { onStage } from '../support/stage/on-stage.ts';
import { DEPLOY, type Session } from '../support/stage/session.ts';

/** The time limit of a look, with the start of the function and of the browser. */
const WAIT = { pollMs: 1_000, ms: 120_000 };

/** Asks Lambda's runtime API, the addresses of credentials and the internet, and says what it got. */
const SCRIPT = `const urls = ['http://127.0.0.1:9001/2018-06-01/runtime/invocation/next', 'http://169.254.169.254/', 'https://example.com/'];

const got = [];

Promise.all(urls.map((url) => fetch(url, { mode: 'no-cors' }).then(() => got.push(url), () => {}))).then(() => {
  throw new Error('reached: ' + JSON.stringify(got));
});

`;

const PAGE =
  '<!doctype html><html lang="en"><title>Smoke</title><main><h1>Smoke</h1><button>Press</button></main><script src="app.js"></script></html>';

onStage({
  name: 'look',
  title: 'A browser looks at a deployment, reaches nothing else, and its picture is served',
  means:
    'The state machine of looks is not started; the look function cannot unpack or start Chromium, whose instances serve a tenant each; ' +
    'the page reaches the network of the function; or the edge does not pass the query of a picture on.',
  lookAt:
    'The log groups *-LooksLookLogs* and *-DeploymentLooks*, Lambda > Functions > *-LooksLook*: memory, and tenant isolation. ' +
    'CloudFront > Behaviors > /d/????????????.png',
  run: async (session) => {
    const files = [
      { path: 'index.html', content: PAGE },
      { path: 'app.js', content: SCRIPT },
    ];
    const deployed = await session.api('POST', DEPLOY, {
      body: JSON.stringify({ projectId: `smoke-${randomUUID()}`, files }),
      headers: { 'content-type': 'application/json' },
    });
    expectStatus(deployed, 201);
    const { id } = deployed.json<DeployResponse>();
    const token = deployed.headers['x-deployment-token']?.toString();
    const headers = token === undefined ? {} : { 'x-deployment-token': token };
    session.cleanUp(async () => {
      expectStatus(await session.api('DELETE', `/api/v1/deployments/${id}`, { headers }), 200, 410);
    });
    const begun = performance.now();
    const { look: seen, version } = await waitForLook(session, id, headers);
    if (seen.state === 'skipped') throw new SkippedError(seen.reason ?? 'nothing is looked at');
    check(seen.state === 'looked', `The look is ${seen.state}: ${seen.reason ?? 'it took too long'}`);
    const messages = (seen.problems ?? []).map(({ message }) => message).join('; ');
    check(messages.includes('reached: []'), `The page reached the network, or did not run: ${messages}`);
    const url = new URL(`/d/${id}.png?width=390&version=${version}`, session.options.baseUrl);
    const picture = await session.http.send(url);
    expectStatus(picture, 200);
    expectHeader(picture, 'Content-Type', 'image/png');
    const width = picture.bytes.readUInt32BE(16);
    check(width === 390, `${picture.request} returned a picture of ${width} px, not 390`);
    return `${Math.round((performance.now() - begun) / 1_000)} s`;
  },
});

async function waitForLook(
  session: Session,
  id: string,
  headers: Readonly<Record<string, string>>,
): Promise<DeploymentResource> {
  const end = performance.now() + WAIT.ms;
  for (;;) {
    const response = await session.api('GET', `/api/v1/deployments/${id}`, { headers });
    expectStatus(response, 200);
    const deployment = response.json<DeploymentResource>();
    if (deployment.look.state !== 'looking' || performance.now() > end) return deployment;
    await sleep(WAIT.pollMs);
  }
}
