import { check, expectError, SkippedError } from './checks.ts';
import type { Session } from './session.ts';
import type { Step } from './step.ts';

/** Lambda keeps this number of concurrent executions unreserved. */
const UNRESERVED = 100;

const gateway: Step = {
  name: 'gateway',
  title: "API Gateway's own address rejects requests",
  means: 'Anybody can bypass CloudFront and its web ACL, and forge the address that the rate limit counts.',
  lookAt: 'apiGatewayDoor of the configuration, and the log group *-UsageApiLogs*',
  run: async (session) => {
    const { stack } = session.options;
    if (!stack) throw new SkippedError('pass --stack');
    const forged = { 'x-ptp-origin-secret': 'smoke', 'x-ptp-viewer-address': '198.51.100.7' };
    for (const headers of [{}, forged])
      for (const path of ['api/v1/usage', 'api/v1/providers', 'no-such-path'])
        expectError(await sendToGateway(session, stack.gateway, path, headers), 403);
  },
};

/** The local cloud serves API Gateway's address at its own port, and recognizes it by the Host header. */
function sendToGateway(
  { http, options: { baseUrl } }: Session,
  base: URL,
  path: string,
  headers: Readonly<Record<string, string>>,
) {
  const url = new URL(path, base);
  if (baseUrl.hostname !== 'localhost') return http.send(url, { headers });
  return http.send(new URL(url.pathname, baseUrl), { headers: { ...headers, host: url.host } });
}

const capacity: Step = {
  name: 'capacity',
  title: 'The account has the concurrency that the functions reserve',
  means: 'A flood on one function takes the instances of all others, and visitors see errors.',
  lookAt:
    'Lambda > Dashboard: the quota of concurrent executions, and the section Quotas of docs/operating.md',
  run: async (session) => {
    const { stack } = session.options;
    if (!stack) throw new SkippedError('pass --stack');
    if (!stack.concurrency) throw new SkippedError('the local cloud has no quota');
    const { quota, unreserved, reserved } = stack.concurrency;
    if (reserved === 0)
      throw new SkippedError(`nothing is reserved: the account allows ${quota} concurrent executions`);
    check(
      quota - unreserved >= reserved,
      `${reserved} are reserved in the template, but ${quota - unreserved} in the account: deploy the stack again`,
    );
    check(
      unreserved >= UNRESERVED,
      `Only ${unreserved} of ${quota} are left for functions without a reservation`,
    );
    return `${reserved} of ${quota} are reserved for this stack`;
  },
};

export const ACCOUNT_STEPS = [gateway, capacity];
