import {
  CodeDeployClient,
  CreateDeploymentCommand,
  DeploymentAlreadyCompletedException,
  StopDeploymentCommand,
} from '@aws-sdk/client-codedeploy';
import {
  DeleteFunctionCommand,
  GetAliasCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
  PublishVersionCommand,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda';

/** The versions that an alias leads to. */
export interface AliasState {
  readonly version: string;
  /** The shares of other versions, from 0 to 1, by their numbers. */
  readonly shares: Readonly<Record<string, number>>;
}

/** A deployment of CodeDeploy that moves an alias. */
interface Release {
  readonly version: string;
  readonly deploymentId: string;
}

/** The function of deployed pages, whose alias CodeDeploy moves. */
export interface SiteRelease {
  alias(): Promise<AliasState>;
  /** Publishes the code of the function as a new version, and begins its deployment. */
  begin(): Promise<Release>;
  /** Stops the deployment, so that CodeDeploy moves the alias back. */
  stop(release: Release): Promise<void>;
  /** Deletes the version. */
  remove(release: Release): Promise<void>;
}

/** How long Lambda may take to change the configuration of a function. */
const UPDATE_SECONDS = 60;

/** The physical ids of what a release of the function of pages needs. */
interface Released {
  readonly application: string;
  readonly group: string;
  /** Name of the function. */
  readonly fn: string;
  /** Name of its alias. */
  readonly alias: string;
}

/**
 * Finds the function of pages and its deployment group among the resources of a stack.
 * @param resources physical ids by logical ids
 * @returns undefined for a stack that is deployed all at once
 */
export function siteReleaseIn(resources: Readonly<Record<string, string>>): AwsSiteRelease | undefined {
  const find = (id: RegExp) => Object.entries(resources).find(([logicalId]) => id.test(logicalId))?.[1];
  const application = find(/^RolloutApplication[0-9A-F]{8}$/);
  const group = find(/^DeploymentsSite\w*LiveRollout[0-9A-F]{8}$/);
  // arn:aws:lambda:eu-west-1:111122223333:function:name:alias
  const [, , , , , , fn, alias] = find(/^DeploymentsSite\w*Live[0-9A-F]{8}$/)?.split(':') ?? [];
  if (application === undefined || group === undefined || fn === undefined || alias === undefined) return undefined;
  return new AwsSiteRelease({ application, group, fn, alias });
}

/** Releases the function of pages as a deployment of the stack does, with the code that it has. */
class AwsSiteRelease implements SiteRelease {
  readonly #names: Released;
  readonly #lambda = new LambdaClient();
  readonly #codeDeploy = new CodeDeployClient();

  constructor(names: Released) {
    this.#names = names;
  }

  async alias(): Promise<AliasState> {
    const { fn: FunctionName, alias: Name } = this.#names;
    const { FunctionVersion: version = '', RoutingConfig } = await this.#lambda.send(
      new GetAliasCommand({ FunctionName, Name }),
    );
    return { version, shares: RoutingConfig?.AdditionalVersionWeights ?? {} };
  }

  async begin(): Promise<Release> {
    const { application, group, fn, alias } = this.#names;
    const { version: current } = await this.alias();
    const version = await this.#publish();
    const Properties = { Name: fn, Alias: alias, CurrentVersion: current, TargetVersion: version };
    // https://docs.aws.amazon.com/codedeploy/latest/userguide/reference-appspec-file-structure-resources.html
    const resources = [{ [fn]: { Type: 'AWS::Lambda::Function', Properties } }];
    const content = `{"version": 0.0, "Resources": ${JSON.stringify(resources)}}`;
    const { deploymentId = '' } = await this.#codeDeploy.send(
      new CreateDeploymentCommand({
        applicationName: application,
        deploymentGroupName: group,
        revision: { revisionType: 'AppSpecContent', appSpecContent: { content } },
      }),
    );
    return { version, deploymentId };
  }

  async stop({ deploymentId }: Release): Promise<void> {
    try {
      await this.#codeDeploy.send(new StopDeploymentCommand({ deploymentId, autoRollbackEnabled: true }));
    } catch (error) {
      // An alarm has stopped it.
      if (!(error instanceof DeploymentAlreadyCompletedException)) throw error;
    }
  }

  /** @throws Error if an alias still leads to the version */
  async remove({ version: Qualifier }: Release): Promise<void> {
    await this.#lambda.send(new DeleteFunctionCommand({ FunctionName: this.#names.fn, Qualifier }));
  }

  /** Lambda publishes a version only of changed code or configuration: the description changes, and is then restored. */
  async #publish(): Promise<string> {
    const FunctionName = this.#names.fn;
    const { Description = '' } = await this.#lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    await this.#describe(`Smoke test of ${new Date().toISOString()}`);
    try {
      const { Version = '' } = await this.#lambda.send(new PublishVersionCommand({ FunctionName }));
      return Version;
    } finally {
      await this.#describe(Description);
    }
  }

  async #describe(Description: string): Promise<void> {
    const FunctionName = this.#names.fn;
    await this.#lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Description }));
    const waiter = { client: this.#lambda, maxWaitTime: UPDATE_SECONDS, minDelay: 1, maxDelay: 2 };
    await waitUntilFunctionUpdatedV2(waiter, { FunctionName });
  }
}
