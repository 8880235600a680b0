import {
  type CloudFormationClient,
  paginateListStackResources,
  paginateListStacks,
} from '@aws-sdk/client-cloudformation';

/**
 * Returns the physical ids of a stack's resources by their logical ids, without those that are deleted. CloudFormation knows a stack
 * for 90 days after it was deleted; of those, what it left behind.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackResources.html
 * @throws Error if CloudFormation knows no stack of that name
 */
export async function stackResources(
  name: string,
  client: CloudFormationClient,
): Promise<Readonly<Record<string, string>>> {
  try {
    return (await resourcesOf(name, client)) ?? (await resourcesOfDeleted(name, client));
  } finally {
    client.destroy();
  }
}

async function resourcesOf(
  StackName: string,
  client: CloudFormationClient,
): Promise<Record<string, string> | undefined> {
  const resources: Record<string, string> = {};
  try {
    for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
      for (const { LogicalResourceId = '', PhysicalResourceId, ResourceStatus } of StackResourceSummaries)
        if (PhysicalResourceId && ResourceStatus !== 'DELETE_COMPLETE')
          resources[LogicalResourceId] = PhysicalResourceId;
    return resources;
  } catch (error) {
    // A stack of that name does not exist, or no more.
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}

/** The stack that was deleted last, if several had the name. */
async function resourcesOfDeleted(
  name: string,
  client: CloudFormationClient,
): Promise<Record<string, string>> {
  const filter = { StackStatusFilter: ['DELETE_COMPLETE' as const] };
  // The newest first.
  for await (const { StackSummaries = [] } of paginateListStacks({ client }, filter)) {
    const found = StackSummaries.find(({ StackName }) => StackName === name);
    if (found?.StackId) return (await resourcesOf(found.StackId, client)) ?? {};
  }
  throw new Error(
    `CloudFormation knows no stack ${name}, nor one that was deleted within 90 days: name its tables and buckets with --from`,
  );
}
