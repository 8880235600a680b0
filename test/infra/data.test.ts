import { STATEFUL } from '../../bin/stack.ts';
import { NOT_RESTORED, RESTORED } from '../../cli/restore/items.ts';
import {
  propertiesOf,
  type Resource,
  resources,
  statementsOf,
  type Template,
  templateOf,
  withoutHash,
} from './templates.ts';

const template = templateOf('byDefault');
const all = (type: string) => resources(template, type);
const full = templateOf('full');
const lean = templateOf('lean');
const zones = templateOf('zones');

const lifecycleRules = () =>
  propertiesOf(template, 'AWS::S3::Bucket').flatMap(
    ({ LifecycleConfiguration }) => LifecycleConfiguration?.Rules ?? [],
  );

describe('stored data', () => {
  const tables = all('AWS::DynamoDB::GlobalTable');
  const table = (id: string) => tables.find(([logicalId]) => logicalId.startsWith(id))?.[1] as Resource;

  it.each(['AccessRateLimits', 'AccessUsage', 'GenerationJobs', 'Deployments', 'AssetsRecords'])('%s expires', (id) => {
    expect(table(id).Properties.TimeToLiveSpecification).toEqual({
      AttributeName: 'expiresAt',
      Enabled: true,
    });
  });

  it('is protected against deletion on request only, because a failed first deploy could not delete it', () => {
    for (const [source, expected] of [
      [template, []],
      [full, ['AccessApiKeys', 'AccessUsageTable', 'AssetsRecords', 'DataTable', 'Deployments', 'WebhooksSecrets']],
    ] as const) {
      const kept = resources(source, 'AWS::DynamoDB::GlobalTable').filter(
        ([, { Properties }]) => Properties.Replicas[0].DeletionProtectionEnabled === true,
      );
      expect(kept.map(([id]) => withoutHash(id)).toSorted()).toEqual(expected);
    }
  });

  it('results of generations expire', () => {
    expect(lifecycleRules()).toContainEqual(expect.objectContaining({ ExpirationInDays: 2, Status: 'Enabled' }));
  });

  it('keeps objects recoverable as long as the items that reference them, and no longer', () => {
    const versioned = all('AWS::S3::Bucket').filter(([, { Properties }]) => Properties.VersioningConfiguration);
    const rules = versioned.map(([id, { Properties }]) => [
      withoutHash(id),
      Properties.LifecycleConfiguration.Rules.flatMap((rule: Record<string, never>) =>
        rule.NoncurrentVersionExpiration === undefined ? [] : [rule],
      ),
    ]);
    const kept = (Prefix: string) => ({
      Prefix,
      NoncurrentVersionExpiration: { NoncurrentDays: 35 },
      ExpiredObjectDeleteMarker: true,
      Status: 'Enabled',
    });
    const gone = {
      NoncurrentVersionExpiration: { NoncurrentDays: 1 },
      ExpirationInDays: 1,
      Status: 'Enabled',
    };
    expect(Object.fromEntries(rules)).toEqual({
      AssetsObjects: [kept('assets/'), { ...gone, TagFilters: [{ Key: 'state', Value: 'pending' }] }],
      DeploymentsArchives: [kept('sites/'), { ...gone, Prefix: 'staged/' }],
    });
    const recovered = tables.filter(([, { Properties }]) =>
      JSON.stringify(Properties.Replicas).includes('"PointInTimeRecoveryEnabled":true'),
    );
    expect(recovered).toHaveLength(6);
  });

  it('what builds were made of and made expires in a day, and what they reuse in months', () => {
    const days = Object.entries({ 'in/': 1, 'out/': 1, 'vendor/': 30, 'packages/': 90 });
    for (const [Prefix, ExpirationInDays] of days)
      expect(lifecycleRules()).toContainEqual({ Prefix, ExpirationInDays, Status: 'Enabled' });
  });
});

describe('tables', () => {
  it('have maxima, and so have their indexes', () => {
    const tables = propertiesOf(full, 'AWS::DynamoDB::GlobalTable');
    expect(tables.length).toBeGreaterThan(5);
    const write = { MaxWriteRequestUnits: 18 };
    const read = { MaxReadRequestUnits: 17 };
    for (const { WriteOnDemandThroughputSettings, Replicas, GlobalSecondaryIndexes = [] } of tables) {
      const [replica] = Replicas;
      expect(WriteOnDemandThroughputSettings).toEqual(write);
      expect(replica.ReadOnDemandThroughputSettings).toEqual(read);
      for (const index of GlobalSecondaryIndexes) expect(index.WriteOnDemandThroughputSettings).toEqual(write);
      for (const index of replica.GlobalSecondaryIndexes ?? [])
        expect(index.ReadOnDemandThroughputSettings).toEqual(read);
    }
    expect(tables.flatMap(({ GlobalSecondaryIndexes = [] }) => GlobalSecondaryIndexes)).toHaveLength(5);
    expect(tables.flatMap(({ Replicas }) => Replicas[0].GlobalSecondaryIndexes ?? [])).toHaveLength(5);
  });
});

/** The tables: their logical ids, keys and indexes. An update can create or delete one index of a table. */
const KEYS = {
  AccessApiKeys09F10F1D: ['id'],
  AccessRateLimits60829D42: ['caller'],
  AccessUsageTable1F2A219D: ['caller, dayOperation'],
  AssetsRecords22293ED0: ['asset_id', 'ByOwner: owner, createdAt'],
  // The last two are local, and can never change.
  DataTableFDBAD0F2: ['site, key', 'ByEnd: endsShard, endsAt', 'ByAuthor: site, authorKey', 'ByShown: site, shownKey'],
  DeploymentsD6169625: ['id', 'ByEnd: endsShard, endsAt', 'ByOwner: listOwner, createdAt'],
  DeploymentsViewsTable83285B40: ['page, day'],
  GenerationJobs87CEE0A7: ['id', 'ByOwner: owner, createdAt'],
  WebhooksSecrets572F78B9: ['owner'],
};

/** The logical ids of everything else that the stack policy protects. */
const IDS = [
  'AccessOAuthUserPoolClient042296BD',
  'AccessOAuthUserPoolDE2EA74C',
  'AccessOAuthUserPoolDomainF6E60E2E',
  'AccessOriginSecret09FAC01F',
  'ApiRestApiE35FEAFE',
  'AssetsObjectsDEFB60AB',
  'BuildsObjects1D05FEE4',
  'ConsolePages082CCFA4',
  'DeploymentsArchives4C25B8F6',
  'DeploymentsProjectIdSecret08C500A2',
  'DeploymentsTokenSecret682D6D77',
  'FrontDoorCustomDomainsConnectionGroup90AB11C6',
  'FrontDoorDistribution20F29BA2',
  'FrontDoorOwnCallSecret1BE64793',
  'FrontDoorSites394F09C2',
  'FrontDoorTenants78C486B4',
  'GenerationFiles6457DEA2',
  'LooksObjectsB72E6483',
  'MonitoringPagesCCE42021',
  'MonitoringTickets0A0FB937',
];

it('keeps the ids and keys of what holds data: a change would replace the resource, which the stack policy denies', () => {
  const kept = STATEFUL.flatMap((type) => resources(full, type));
  const tables = kept.flatMap(([id, { Properties }]) => {
    const { KeySchema, GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = Properties ?? {};
    const indexes = [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].map(indexOf);
    return KeySchema ? [[id, [keys(KeySchema), ...indexes]]] : [];
  });
  expect(Object.fromEntries(tables)).toEqual(KEYS);
  expect(kept.map(([id]) => id).toSorted()).toEqual([...Object.keys(KEYS), ...IDS].toSorted());
});

type Key = readonly { readonly AttributeName: string }[];
const keys = (schema: Key) => schema.map(({ AttributeName }) => AttributeName).join(', ');
const indexOf = ({ IndexName, KeySchema }: { IndexName: string; KeySchema: Key }) => `${IndexName}: ${keys(KeySchema)}`;

const KINDS = {
  table: 'AWS::DynamoDB::GlobalTable',
  bucket: 'AWS::S3::Bucket',
  secret: 'AWS::SecretsManager::Secret',
};
const stateful = Object.entries(KINDS).flatMap(([kind, type]) =>
  resources(full, type).map(([id, resource]): [string, string, Resource] => [kind, withoutHash(id), resource]),
);

it('restores each table, bucket and secret of the stack, or documents why not', () => {
  const restored = RESTORED.map(({ kind, logicalId }) => `${kind} ${logicalId}`);
  const others = stateful.map(([kind, id]) => `${kind} ${id}`).filter((one) => !restored.includes(one));
  expect(restored.filter((one) => !stateful.some(([kind, id]) => `${kind} ${id}` === one))).toEqual([]);
  const reasons = { ...NOT_RESTORED };
  const unexplained = others.filter((one) => !((one.split(' ')[1] as string) in reasons));
  expect(unexplained).toEqual([]);
  expect(Object.keys(reasons).toSorted()).toEqual(others.map((one) => one.split(' ')[1]).toSorted());
});

it('restores only resources that are retained and recoverable', () => {
  for (const { kind, logicalId } of RESTORED) {
    const [, , resource] = stateful.find(([, id]) => id === logicalId) as [string, string, Resource];
    expect([logicalId, resource.DeletionPolicy]).toEqual([logicalId, 'RetainExceptOnCreate']);
    expect([logicalId, resource.UpdateReplacePolicy]).toEqual([logicalId, 'Retain']);
    const { Replicas, VersioningConfiguration } = resource.Properties;
    if (kind === 'table')
      expect(Replicas[0].PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
    if (kind === 'bucket') expect(VersioningConfiguration).toEqual({ Status: 'Enabled' });
  }
});

it('lets no function read or delete versions of deleted objects', () => {
  const actions = propertiesOf(full, 'AWS::IAM::Policy').flatMap(({ PolicyDocument }) =>
    (PolicyDocument.Statement as { Action: string | string[] }[]).flatMap(({ Action }) => Action),
  );
  expect(actions.filter((action) => /^s3:(Get|Delete|List|Restore)\w*Version|^s3:\*/.test(action))).toEqual([]);
});

const viewsTable = (from: Template) =>
  resources(from, 'AWS::DynamoDB::GlobalTable').find(([id]) => id.startsWith('DeploymentsViewsTable'));
const environmentOf = (from: Template, description: string): Record<string, unknown> =>
  propertiesOf(from, 'AWS::Lambda::Function').find(({ Description }) => Description === description)?.Environment
    ?.Variables ?? {};
const SITE = 'Serves deployed pages';
const API = 'Deploys files';

/** Returns the headers of visitors that the distributions send to the site function. */
function forwarded(from: Template): string[] {
  const policies = propertiesOf(from, 'AWS::CloudFront::OriginRequestPolicy');
  const sites = policies.find(({ OriginRequestPolicyConfig }) =>
    JSON.stringify(OriginRequestPolicyConfig.Name).includes('SitesRequest'),
  );
  return sites?.OriginRequestPolicyConfig.HeadersConfig.Headers;
}

/** Returns the actions of a function on the table of views. */
function actionsOn(from: Template, fn: string): string[] {
  const id = viewsTable(from)?.[0];
  return statementsOf(from, fn)
    .filter(({ Resource }: { Resource: unknown }) => JSON.stringify(Resource).includes(`"${id}"`))
    .flatMap(({ Action }: { Action: string | string[] }) => Action);
}

it('the table of views expires its items, and has no backups that a salt could be in', () => {
  const { Properties, DeletionPolicy } = viewsTable(template)?.[1] ?? {};
  expect(Properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expiresAt', Enabled: true });
  expect(Properties.Replicas[0].PointInTimeRecoverySpecification).toBeUndefined();
  expect(DeletionPolicy).toBe('Delete');
});

it('with edgeSeconds, the site function cannot count, and the API says so', () => {
  expect(actionsOn(zones, 'DeploymentsSiteRole')).toEqual([]);
  expect(environmentOf(zones, SITE).VIEWS_TABLE).toBeUndefined();
  expect(environmentOf(zones, API).VIEWS_UNCOUNTED).toMatch(/for 30 seconds .*deployments\.edgeSeconds/);
  // Earlier views remain.
  expect(actionsOn(zones, 'DeploymentsApiRole')).toEqual(['dynamodb:Query']);
});

it('without analytics there is no table, and nothing of visitors is sent for it', () => {
  expect(viewsTable(lean)).toBeUndefined();
  expect(environmentOf(lean, SITE).VIEWS_TABLE).toBeUndefined();
  expect(environmentOf(lean, API).VIEWS_UNCOUNTED).toMatch(/turned counting off/);
  expect(environmentOf(template, API).VIEWS_UNCOUNTED).toBeUndefined();
  const ofViews = ['Referer', 'Sec-Purpose', 'User-Agent', 'x-ptp-own-call'];
  expect(forwarded(template)).toEqual(expect.arrayContaining(ofViews));
  // The quota of CloudFront.
  expect(forwarded(template).length).toBeLessThanOrEqual(10);
  expect(forwarded(lean).filter((name) => ofViews.includes(name))).toEqual([]);
  expect(forwarded(zones).filter((name) => ofViews.includes(name))).toEqual([]);
});

it('without data of sites, the functions that deploy refuse to declare it', () => {
  const refusing = (from: Template) =>
    resources(from, 'AWS::Lambda::Function')
      .filter(([, { Properties }]) => Properties.Environment?.Variables.DATA_OFF === 'true')
      .map(([id]) => withoutHash(id))
      .toSorted();
  expect(refusing(lean)).toEqual(['DeploymentsApi', 'DeploymentsGenerated']);
  expect(refusing(template)).toEqual([]);
});
