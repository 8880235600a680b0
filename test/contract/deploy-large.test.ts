import { randomUUID } from 'node:crypto';
import { check, expectError, expectStatus } from '../support/stage/checks.ts';
import { onStage } from '../support/stage/on-stage.ts';
import { DEPLOY } from '../support/stage/session.ts';
import { expectVisible } from '../support/stage/visible.ts';

/** More than a Lambda event holds. */
const LARGE_BODY_BYTES = 4_800_000;

const LOGS = 'The log group *-DeploymentsApiLogs*';
const STAGING =
  `${LOGS}, *-DeploymentsStagingAuthorizerLogs*, and API Gateway > Resources > /api/v1/deploy/staged > POST: the ` +
  'integration with S3 takes {id} and the Location from context.authorizer';

onStage({
  name: 'deploy-large',
  title: 'A body that is too large for a Lambda event is stored, and deployed by the 303',
  means: 'CloudFront does not rewrite the path, or API Gateway cannot store the body in S3.',
  lookAt: STAGING,
  run: async (session) => {
    const { live } = await session.deploy(async (body) => {
      const large = `${body.slice(0, -1)},"ignored":"${'.'.repeat(LARGE_BODY_BYTES)}"}`;
      const stored = await session.api('POST', DEPLOY, { ...session.deployCall(large), seconds: 300 });
      expectStatus(stored, 303);
      const path = session.pathOf(stored);
      // Bodies belong to the credentials that they were sent with.
      expectError(await session.api('GET', path, { headers: { 'x-deployment-token': 'ptd_smoke' } }), 404);
      return session.follow(stored, { headers: session.ownership });
    });
    return expectVisible(session, live.n);
  },
});

onStage({
  name: 'deploy-chunked',
  title: 'Bodies without Content-Length are stored apart, even if a client chooses their request id',
  means:
    'Bodies of unknown length reach the function, or one overwrites another: a client can choose the request id of API ' +
    'Gateway, so that it must not name the object.',
  lookAt: STAGING,
  run: async (session) => {
    const requestId = randomUUID();
    const store = async (body: string) => {
      const { headers } = session.deployCall(body);
      const chosen = { ...headers, 'x-amzn-requestid': requestId };
      const stored = await session.api('POST', DEPLOY, { body, chunked: true, headers: chosen });
      expectStatus(stored, 303);
      return stored;
    };
    const { live } = await session.deploy(async (body) => {
      const first = await store(body);
      const second = await store('{"files": []}');
      const { location = '' } = first.headers;
      check(location !== second.headers.location, `Two bodies have the Location ${location}`);
      check(!location.includes(requestId), `The client chose the Location ${location}`);
      return session.follow(first, { headers: session.ownership });
    });
    return expectVisible(session, live.n);
  },
});
