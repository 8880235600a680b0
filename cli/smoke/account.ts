import { check, expectError, SkippedError } from './checks.ts';
import type { Session } from './session.ts';
import type { Step } from './step.ts';

/** Lambda keeps as many without a reservation. */
const UNRESERVED = 100;

const gateway: Step = {
  name: 'gateway',
  title: "API Gateway's own address refuses requests",
  means: 'Anybody can bypass CloudFront with its web ACL, and name any address for the rate limit.',
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

/** The local cloud has API Gateway's address at its port, and distinguishes it by the Host. */
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
    if (!stack.concurrency) throw new SkippedError('the local cloud is no account with a quota');
    const { quota, unreserved, reserved } = stack.concurrency;
    if (reserved === 0) throw new SkippedError(`the account allows ${quota} at a time: nothing is reserved`);
    check(
      quota - unreserved >= reserved,
      `${reserved} are reserved in the template, but ${quota - unreserved} in the account: deploy the stack again`,
    );
    check(
      unreserved >= UNRESERVED,
      `Of ${quota}, ${unreserved} are left for functions without a reservation`,
    );
    return `${reserved} of ${quota} are reserved for this stack`;
  },
};

export const ACCOUNT_STEPS = [gateway, capacity];
