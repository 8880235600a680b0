import { ACCOUNT_STEPS } from '../../../cli/smoke/account.ts';
import { Session } from '../../../cli/smoke/session.ts';
import type { StackFacts } from '../../../cli/smoke/stack-facts.ts';
import { readStack } from '../../../cli/smoke-stack.ts';
import { startAccount } from '../../support/account.ts';
import { testRows } from '../../support/rows.ts';

const gateway = new URL('https://abc.execute-api.eu-west-1.amazonaws.com/api/');

it('reads the address of the API and the concurrency of a stack', async () => {
  const reserves = { Properties: { ReservedConcurrentExecutions: 300 } };
  const account = await startAccount({
    quota: 1_000,
    unreserved: 100,
    template: { Resources: { One: reserves, Two: reserves, Other: {} } },
    outputs: { BaseUrl: 'https://d1.cloudfront.net', ApiEndpoint: gateway.href },
  });
  const before = { ...process.env };
  Object.assign(process.env, account.env);
  try {
    const concurrency = { quota: 1_000, unreserved: 100, reserved: 600 };
    expect(await readStack('prompt-to-project-prod', {})).toEqual({ gateway, concurrency });
  } finally {
    process.env = before;
    account.close();
  }
});

async function outcomeOf(concurrency: StackFacts['concurrency']): Promise<string> {
  const capacity = ACCOUNT_STEPS.find(({ name }) => name === 'capacity');
  const baseUrl = new URL('https://d1.cloudfront.net');
  using session = new Session({ baseUrl, say: () => {}, stack: { gateway, concurrency } });
  return String(await capacity?.run(session).catch(({ message }: Error) => message));
}

testRows([
  [{ quota: 1_000, unreserved: 100, reserved: 900 }, '900 of 1000 are reserved for this stack'],
  [
    { quota: 10, unreserved: 10, reserved: 0 },
    'nothing is reserved: the account allows 10 concurrent executions',
  ],
  [
    { quota: 1_000, unreserved: 400, reserved: 900 },
    '900 are reserved in the template, but 600 in the account: deploy the stack again',
  ],
  [
    { quota: 960, unreserved: 60, reserved: 900 },
    'Only 60 of 960 are left for functions without a reservation',
  ],
  [undefined, 'the local cloud has no quota'],
])('concurrency of the account', async (concurrency, outcome) => {
  expect(await outcomeOf(concurrency)).toBe(outcome);
});
