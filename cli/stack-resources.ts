import {
  type CloudFormationClient,
  paginateListStackResources,
  paginateListStacks,
} from '@aws-sdk/client-cloudformation';

/**
 * Returns the physical ids of a stack's existing resources by their logical ids. CloudFormation lists a deleted stack for 90 days; its
 * existing resources are those that it retained.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackResources.html
 * @throws Error if CloudFormation lists no stack of that name
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
    // The stack was deleted, or never existed.
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}

/** Returns the resources of a deleted stack; of the last one, if several had the name. */
async function resourcesOfDeleted(
  name: string,
  client: CloudFormationClient,
): Promise<Record<string, string>> {
  const filter = { StackStatusFilter: ['DELETE_COMPLETE' as const] };
  // CloudFormation lists the newest first.
  for await (const { StackSummaries = [] } of paginateListStacks({ client }, filter)) {
    const found = StackSummaries.find(({ StackName }) => StackName === name);
    if (found?.StackId) return (await resourcesOf(found.StackId, client)) ?? {};
  }
  throw new Error(
    `CloudFormation lists no stack ${name}, not even one deleted within 90 days: name its tables and buckets with --from`,
  );
}
