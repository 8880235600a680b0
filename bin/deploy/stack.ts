import {
  CloudFormationClient,
  DeleteChangeSetCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateDescribeChangeSet,
  paginateListStackResources,
  type ResourceChange,
} from '@aws-sdk/client-cloudformation';
import { regionOf } from '../stack-name.ts';
import type { Change } from './changes.ts';
import type { Template } from './record.ts';

/** A resource of a stack. */
export interface StackResource {
  readonly id: string;
  readonly type: string;
  readonly physicalId: string;
}

/** A stack that may exist. */
export class DeployedStack {
  readonly name: string;
  readonly #client: CloudFormationClient;

  constructor(name: string, env: NodeJS.ProcessEnv) {
    const region = regionOf(env);
    this.name = name;
    this.#client = new CloudFormationClient(region === undefined ? {} : { region });
  }

  /**
   * Returns the status of the stack; undefined if it does not exist.
   * @throws Error with advice if there are no valid credentials
   */
  async status(): Promise<string | undefined> {
    return (await this.#describe())?.StackStatus;
  }

  /** Returns an output. */
  async output(name: string): Promise<string | undefined> {
    const outputs = (await this.#describe())?.Outputs ?? [];
    return outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
  }

  /** Returns the changes of a change set; undefined if it does not exist, because nothing changes. */
  async changes(changeSet: string): Promise<Change[] | undefined> {
    const changes: Change[] = [];
    try {
      const input = { StackName: this.name, ChangeSetName: changeSet };
      for await (const page of paginateDescribeChangeSet({ client: this.#client }, input))
        for (const { ResourceChange } of page.Changes ?? [])
          if (ResourceChange) changes.push(changeOf(ResourceChange));
      return changes;
    } catch (error) {
      if ((error as Error).name === 'ChangeSetNotFoundException' || isNoStack(error as Error))
        return undefined;
      throw error;
    }
  }

  /** Deletes a rejected change set, and the empty stack that a first change set creates. */
  async discard(changeSet: string): Promise<void> {
    const input = { StackName: this.name, ChangeSetName: changeSet };
    await this.#client.send(new DeleteChangeSetCommand(input));
    if ((await this.status()) === 'REVIEW_IN_PROGRESS')
      await this.#client.send(new DeleteStackCommand({ StackName: this.name }));
  }

  async resources(): Promise<StackResource[]> {
    const resources: StackResource[] = [];
    for await (const page of paginateListStackResources({ client: this.#client }, { StackName: this.name }))
      for (const one of page.StackResourceSummaries ?? [])
        resources.push({
          id: one.LogicalResourceId ?? '',
          type: one.ResourceType ?? '',
          physicalId: one.PhysicalResourceId ?? '',
        });
    return resources;
  }

  /** Returns the deployed template. */
  async template(): Promise<Template> {
    const { TemplateBody = '{"Resources":{}}' } = await this.#client.send(
      new GetTemplateCommand({ StackName: this.name }),
    );
    return JSON.parse(TemplateBody) as Template;
  }

  async #describe() {
    try {
      const { Stacks } = await this.#client.send(new DescribeStacksCommand({ StackName: this.name }));
      return Stacks?.[0];
    } catch (error) {
      if (isNoStack(error as Error)) return undefined;
      throw withAdvice(error as Error);
    }
  }
}

function changeOf(change: ResourceChange): Change {
  const names = (change.Details ?? []).map(({ Target }) => Target?.Name ?? Target?.Attribute ?? '');
  return {
    action: change.Action ?? '',
    id: change.LogicalResourceId ?? '',
    type: change.ResourceType ?? '',
    physicalId: change.PhysicalResourceId,
    replacement: change.Replacement,
    policy: change.PolicyAction,
    causes: [...new Set(names)].filter((name) => name !== '').toSorted(),
  };
}

function isNoStack({ name, message }: Error): boolean {
  return name === 'ValidationError' && message.includes('does not exist');
}

const NO_CREDENTIALS = /Credentials|Token|Unrecognized?Client|SignatureDoesNotMatch|AuthFailure/;

/** Returns an error with advice about missing or expired credentials or a missing region, or the error itself. */
export function withAdvice(error: Error): Error {
  if (/region is missing/i.test(error.message))
    return new Error(
      'No AWS region is set: set AWS_REGION, for example to us-east-1, or select a profile with AWS_PROFILE',
    );
  if (!NO_CREDENTIALS.test(error.name)) return error;
  return new Error(
    `AWS rejects the credentials of the environment (${error.message.replace(/\.$/, '')}): log in with "aws sso login" or "aws login" and ` +
      'select the profile with AWS_PROFILE, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  );
}
