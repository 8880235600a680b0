import type { Answer, AwsCall } from './account.ts';

const FUNCTION = 'stack-DeploymentsSite-abc';

/** The resources of a stack that a release of the function of pages needs. */
export const RELEASED = {
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
export class ReleasedFunction {
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
