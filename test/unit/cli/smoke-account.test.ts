import { concurrencyProblem, readStack } from '../../../cli/smoke-command.ts';
import { type Answer, type AwsCall, startAccount } from '../../support/account.ts';
import { testRows } from '../../support/rows.ts';

const FUNCTION = 'stack-DeploymentsSite-abc';

/** The resources of a stack that a release of the function of pages needs. */
const RELEASED = {
  RolloutApplication23995D4D: 'application',
  DeploymentsSiteLiveRollout286246BA: 'group',
  DeploymentsSiteLiveE0391EAD: `arn:aws:lambda:us-east-1:111122223333:function:${FUNCTION}:live`,
  DeploymentsApiLive0A894F76: 'arn:aws:lambda:us-east-1:111122223333:function:other:live',
};

/**
 * A function with an alias that CodeDeploy moves, as Lambda and CodeDeploy describe it.
 * https://docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html
 * https://docs.aws.amazon.com/codedeploy/latest/APIReference/API_StopDeployment.html
 */
class ReleasedFunction {
  description = 'Serves pages';
  alias: { FunctionVersion: string; RoutingConfig?: object } = { FunctionVersion: '7' };
  versions = [{ number: 7, description: 'Serves pages' }];
  /** The calls that change something, in their order. */
  readonly changes: string[] = [];
  #running = false;

  readonly answer = ({ method, url, target, body }: AwsCall): Answer | undefined => {
    const [, operation] = /^CodeDeploy_20141006\.(\w+)$/.exec(target) ?? [];
    if (operation !== undefined) return this.#codeDeploy(operation, JSON.parse(body));
    const [, path] = new RegExp(`^/2015-03-31/functions/${FUNCTION}(.*)$`).exec(url) ?? [];
    if (path === undefined) return undefined;
    return this.#lambda(`${method} ${path}`, body === '' ? {} : JSON.parse(body));
  };

  #lambda(call: string, { Description }: { readonly Description?: string }): Answer {
    if (!call.startsWith('GET')) this.changes.push(call);
    if (call === 'GET /aliases/live') return json(200, this.alias);
    if (call === 'PUT /configuration') this.description = Description ?? '';
    if (call === 'POST /versions') return json(201, { Version: this.#publish() });
    const [, removed] = /^DELETE \?Qualifier=(\d+)$/.exec(call) ?? [];
    if (removed !== undefined) return this.#remove(removed);
    const configuration = { Description: this.description, LastUpdateStatus: 'Successful' };
    return json(200, call === 'GET ' ? { Configuration: configuration } : configuration);
  }

  /** Returns the last version again if nothing has changed since. */
  #publish(): string {
    const last = this.versions.at(-1) as (typeof this.versions)[number];
    if (last.description !== this.description)
      this.versions.push({ number: last.number + 1, description: this.description });
    return String(this.versions.at(-1)?.number);
  }

  #remove(version: string): Answer {
    if (JSON.stringify(this.alias).includes(`"${version}"`))
      return json(409, { __type: 'ResourceConflictException', message: 'An alias refers to the version' });
    this.versions = this.versions.filter(({ number }) => String(number) !== version);
    return json(204, {});
  }

  // biome-ignore lint/suspicious/noExplicitAny: what CodeDeploy gets
  #codeDeploy(operation: string, input: any): Answer {
    this.changes.push(operation);
    if (operation === 'CreateDeployment') return this.#create(input);
    if (!this.#running) return json(400, { __type: 'DeploymentAlreadyCompletedException' });
    this.#running = false;
    if (input.autoRollbackEnabled) this.alias = { FunctionVersion: this.alias.FunctionVersion };
    return json(200, { status: 'Pending' });
  }

  // biome-ignore lint/suspicious/noExplicitAny: what CodeDeploy gets
  #create({ applicationName, deploymentGroupName, revision }: any): Answer {
    const { Resources } = JSON.parse(revision.appSpecContent.content);
    const { CurrentVersion, TargetVersion, ...named } = Resources[0][FUNCTION].Properties;
    expect([applicationName, deploymentGroupName]).toEqual(['application', 'group']);
    expect(named).toEqual({ Name: FUNCTION, Alias: 'live' });
    expect(CurrentVersion).toBe(this.alias.FunctionVersion);
    this.#running = true;
    this.alias = {
      FunctionVersion: CurrentVersion,
      RoutingConfig: { AdditionalVersionWeights: { [TargetVersion]: 0.1 } },
    };
    return json(200, { deploymentId: 'd-1' });
  }
}

const json = (status: number, body: object): Answer => [status, 'application/json', JSON.stringify(body)];

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
  [{ quota: 960, unreserved: 60, reserved: 900 }, 'Only 60 of 960 are left for functions without a reservation'],
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
  expect(released.changes).toEqual([...published, 'CreateDeployment', 'StopDeployment', 'DELETE ?Qualifier=8']);
  expect(released.versions).toEqual([{ number: 7, description: 'Serves pages' }]);
});
