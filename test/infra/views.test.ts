import { propertiesOf, resources, synthesized, type Template } from './synthesized.ts';

const [counting, edge, off] = synthesized(
  { stage: 'prod' },
  { deployments: { edgeSeconds: 30 } },
  { analytics: false },
) as [Template, Template, Template];

const viewsTable = (template: Template) =>
  resources(template, 'AWS::DynamoDB::GlobalTable').find(([id]) => id.startsWith('DeploymentsViewsTable'));
const environmentOf = (template: Template, description: string): Record<string, unknown> =>
  propertiesOf(template, 'AWS::Lambda::Function').find(({ Description }) => Description === description)
    ?.Environment?.Variables ?? {};
const SITE = 'Serves deployed pages';
const API = 'Deploys files';

/** Returns the headers of visitors that the distributions send to the site function. */
function forwarded(template: Template): string[] {
  const policies = propertiesOf(template, 'AWS::CloudFront::OriginRequestPolicy');
  const sites = policies.find(({ OriginRequestPolicyConfig }) =>
    JSON.stringify(OriginRequestPolicyConfig.Name).includes('SitesRequest'),
  );
  return sites?.OriginRequestPolicyConfig.HeadersConfig.Headers;
}

/** Returns the actions of a function on the table of views. */
function actionsOn(template: Template, fn: string): string[] {
  const id = viewsTable(template)?.[0];
  return resources(template, 'AWS::IAM::Policy')
    .filter(([name]) => name.startsWith(fn))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
    .filter(({ Resource }) => JSON.stringify(Resource).includes(`"${id}"`))
    .flatMap(({ Action }) => Action);
}

test('the table of views expires its items, and has no backups that a salt could be in', () => {
  const { Properties, DeletionPolicy } = viewsTable(counting)?.[1] ?? {};
  expect(Properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expiresAt', Enabled: true });
  expect(Properties.Replicas[0].PointInTimeRecoverySpecification).toBeUndefined();
  expect(DeletionPolicy).toBe('Delete');
});

test('functions have the permissions on it that they need', () => {
  expect(actionsOn(counting, 'DeploymentsSiteRole').toSorted()).toEqual([
    'dynamodb:GetItem',
    'dynamodb:UpdateItem',
  ]);
  expect(actionsOn(counting, 'DeploymentsApiRole')).toEqual(['dynamodb:Query']);
  expect(actionsOn(counting, 'DeploymentsSweepFunctionRole').toSorted()).toEqual([
    'dynamodb:DeleteItem',
    'dynamodb:Query',
  ]);
  for (const fn of ['DeploymentsGenerated', 'DeploymentsDownload', 'GenerationApi'])
    expect(actionsOn(counting, fn)).toEqual([]);
});

test('with edgeSeconds, the site function cannot count, and the API says so', () => {
  expect(actionsOn(edge, 'DeploymentsSiteRole')).toEqual([]);
  expect(environmentOf(edge, SITE).VIEWS_TABLE).toBeUndefined();
  expect(environmentOf(edge, API).VIEWS_UNCOUNTED).toMatch(/for 30 seconds .*deployments\.edgeSeconds/);
  // Earlier views remain.
  expect(actionsOn(edge, 'DeploymentsApiRole')).toEqual(['dynamodb:Query']);
});

test('without analytics there is no table, and nothing of visitors is sent for it', () => {
  expect(viewsTable(off)).toBeUndefined();
  expect(environmentOf(off, SITE).VIEWS_TABLE).toBeUndefined();
  expect(environmentOf(off, API).VIEWS_UNCOUNTED).toMatch(/turned counting off/);
  expect(environmentOf(counting, API).VIEWS_UNCOUNTED).toBeUndefined();
  const ofViews = ['Referer', 'Sec-Purpose', 'User-Agent', 'x-ptp-own-call'];
  expect(forwarded(counting)).toEqual(expect.arrayContaining(ofViews));
  // The quota of CloudFront.
  expect(forwarded(counting).length).toBeLessThanOrEqual(10);
  expect(forwarded(off).filter((name) => ofViews.includes(name))).toEqual([]);
  expect(forwarded(edge).filter((name) => ofViews.includes(name))).toEqual([]);
});
