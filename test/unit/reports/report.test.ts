import type { Caller } from '../../../lambda/access/callers.ts';
import { type ReportStage, report } from '../../../lambda/reports/report.ts';
import type { Deployment } from '../../../lambda/stored/deployment.ts';

const ID = 'abcdefghijkl';
const ADDRESS: Caller = { id: 'address:192.0.2.1', limit: 10 };
const KEY: Caller = { id: 'key:a', limit: 10, credential: { kind: 'key', scopes: [] } };
const page = { id: ID, live: 'v', versions: [{ version: 'v' }] } as unknown as Deployment;

/** A stage whose limit is spent after `allowed` reports, with the calls of its stores. */
function stageOf(allowed: number) {
  const calls: string[] = [];
  let counted = 0;
  const stage: ReportStage = {
    reports: { find: async () => undefined, change: async () => undefined },
    findDeployment: async () => page,
    idAtDomain: async (domain) => {
      calls.push(domain);
      return ID;
    },
    count: async () => {
      calls.push('count');
      return { total: ++counted, allowed: counted <= allowed, resetAt: 60_000 };
    },
    secret: 'secret',
    baseUrl: 'https://ptp.example.com',
    clock: () => 0,
  };
  const send = (url: string, caller = ADDRESS) => report({ url, reason: 'spam' }, caller, stage);
  return { calls, send };
}

it('counts a report before it looks up a domain, once', async () => {
  const { calls, send } = stageOf(1);
  expect(await send('https://shop.example/')).toMatchObject({ deploymentId: ID });
  await expect(send('https://other.example/')).rejects.toMatchObject({ code: 'rate_limited' });
  expect(calls).toEqual(['count', 'shop.example', 'count']);
});

it('counts no reports of keys, and looks up no domain of the service', async () => {
  const { calls, send } = stageOf(0);
  await send('https://shop.example/', KEY);
  await send(`https://ptp.example.com/d/${ID}/`, KEY);
  expect(calls).toEqual(['shop.example']);
});
