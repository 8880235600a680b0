/** What is restored, in this order: what items name is there before them, and pages come last. */
interface Restored {
  /** As `--from` has it. */
  readonly name: string;
  readonly kind: 'secret' | 'bucket' | 'table';
  /** Of the resource in the template, without the hash at its end: it is the same in every version. */
  readonly logicalId: string;
  readonly what: string;
}

/** A resource and its physical ids. */
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
    what: 'what notifications are signed with',
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

/** What a stack retains and `npm run restore` leaves alone, by logical id, with the reason. */
export const NOT_RESTORED: Readonly<Record<string, string>> = {
  AccessRateLimits: 'Windows of minutes, and closures and origin secrets of the stack itself',
  AccessOriginSecret: 'Of the stack’s own distribution',
  BuildsObjects: 'Can be made again',
  ConsolePages: 'Every deployment of the stack writes it',
  FrontDoorOwnCallSecret: 'Of the stack’s own web ACL',
  DeploymentsViewsTable: 'No backup may have its salts',
  GenerationFiles: 'Generations expire after a day',
  GenerationJobs: 'Generations expire after a day, and their executions are gone; budgets of the day',
  LooksObjects: 'Can be made again',
};

const HASH = /[0-9A-F]{8}$/;

/** Returns the physical ids of what is restored, by name. */
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
