/** A restored resource. Their order puts objects before the items that reference them, and pages last. */
interface Restored {
  /** The name in `--from`. */
  readonly name: string;
  readonly kind: 'secret' | 'bucket' | 'table';
  /** The logical id of the resource without the hash at its end, which is the same in every version. */
  readonly logicalId: string;
  readonly what: string;
}

/** A restored resource, with the physical ids of its source and target. */
export interface Copied extends Restored {
  readonly from: string;
  readonly to: string;
}

export const RESTORED = [
  {
    name: 'ids',
    kind: 'secret',
    logicalId: 'DeploymentsProjectIdSecret',
    what: 'the addresses of projects derive from it',
  },
  {
    name: 'tokens',
    kind: 'secret',
    logicalId: 'DeploymentsTokenSecret',
    what: 'the tokens of deployments derive from it',
  },
  { name: 'keys', kind: 'table', logicalId: 'AccessApiKeys', what: 'API keys' },
  {
    name: 'webhook-secrets',
    kind: 'table',
    logicalId: 'WebhooksSecrets',
    what: 'the secrets that sign notifications',
  },
  { name: 'usage', kind: 'table', logicalId: 'AccessUsageTable', what: 'usage of API keys by day' },
  { name: 'asset-files', kind: 'bucket', logicalId: 'AssetsObjects', what: 'the bytes of assets' },
  { name: 'assets', kind: 'table', logicalId: 'AssetsRecords', what: 'assets' },
  { name: 'archives', kind: 'bucket', logicalId: 'DeploymentsArchives', what: 'the files of deployments' },
  {
    name: 'deployments',
    kind: 'table',
    logicalId: 'Deployments',
    what: 'deployments, with their domains and reports',
  },
] as const satisfies readonly Restored[];

export type RestoredName = (typeof RESTORED)[number]['name'];

/** Retained resources that `npm run restore` does not copy, by logical id, with the reason. */
export const NOT_RESTORED: Readonly<Record<string, string>> = {
  AccessRateLimits: "Windows of minutes, and the stack's own closures and origin secrets",
  AccessOriginSecret: "Belongs to the stack's own distribution",
  BuildsObjects: 'Can be built again',
  ConsolePages: 'Every deployment of the stack writes them',
  FrontDoorOwnCallSecret: "Belongs to the stack's own web ACL",
  DeploymentsViewsTable: 'Its salts must not be in a backup',
  GenerationFiles: 'Generations expire after a day',
  GenerationJobs: 'Generations expire after a day, and their executions are gone; budgets of the day',
  LooksObjects: 'Looks can be repeated',
};

const HASH = /[0-9A-F]{8}$/;

/** Returns the physical ids of the restored resources in a stack, by name. */
export function restoredIn(
  resources: Readonly<Record<string, string>>,
): Partial<Record<RestoredName, string>> {
  const byId = new Map(Object.entries(resources).map(([id, physical]) => [id.replace(HASH, ''), physical]));
  return Object.fromEntries(
    RESTORED.flatMap(({ name, logicalId }) => {
      const physical = byId.get(logicalId);
      return physical === undefined ? [] : [[name, physical]];
    }),
  );
}
