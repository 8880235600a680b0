import { concurrencyProblem, readStack } from '../../../cli/smoke-stack.ts';
import { startAccount } from '../../support/account.ts';
import { RELEASED, ReleasedFunction } from '../../support/released-function.ts';
import { testRows } from '../../support/rows.ts';

const gateway = new URL('https://abc.execute-api.eu-west-1.amazonaws.com/api/');
const outputs = { BaseUrl: 'https://d1.cloudfront.net', ApiEndpoint: gateway.href };

/** Calls a function with the credentials of an account. */
async function inAccount<T>(account: Parameters<typeof startAccount>[0], run: () => Promise<T>): Promise<T> {
  const { env, close } = await startAccount(account);
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    return await run();
  } finally {
    process.env = before;
    close();
  }
}

it('reads the address of the API and the concurrency of a stack', async () => {
  const reserves = { Properties: { ReservedConcurrentExecutions: 300 } };
  const template = { Resources: { One: reserves, Two: reserves, Other: {} } };
  const facts = await inAccount({ quota: 1_000, unreserved: 100, template, outputs }, () =>
    readStack('prompt-to-project-prod', {}),
  );
  expect(facts).toEqual({ gateway, concurrency: { quota: 1_000, unreserved: 100, reserved: 600 } });
});

testRows([
  [{ quota: 1_000, unreserved: 100, reserved: 900 }, undefined],
  [
    { quota: 1_000, unreserved: 400, reserved: 900 },
    '900 are reserved in the template, but 600 in the account: deploy the stack again',
  ],
  [
    { quota: 960, unreserved: 60, reserved: 900 },
    'Only 60 of 960 are left for functions without a reservation',
  ],
])('says why functions lack the concurrency that they reserve', (concurrency, problem) => {
  expect(concurrencyProblem(concurrency)).toBe(problem);
});

it('rolls a version of the function of pages out and back', async () => {
  const released = new ReleasedFunction();
  const account = { quota: 1_000, unreserved: 100, template: {}, outputs, resources: RELEASED };
  await inAccount({ ...account, others: released.answer }, async () => {
    const { site } = await readStack('prompt-to-project-prod', {});
    const release = await site?.begin();
    if (!site || !release) throw new Error('The stack has no deployments of CodeDeploy');
    expect(await site.alias()).toEqual({ version: '7', shares: { 8: 0.1 } });
    await site.stop(release);
    expect(await site.alias()).toEqual({ version: '7', shares: {} });
    await site.remove(release);
  });
  const published = ['PUT /configuration', 'POST /versions', 'PUT /configuration'];
  expect(released.changes).toEqual([
    ...published,
    'CreateDeployment',
    'StopDeployment',
    'DELETE ?Qualifier=8',
  ]);
  expect(released.versions).toEqual([{ number: 7, description: 'Serves pages' }]);
});
