import { propertiesOf, type Resource, resources, type Template, templateOf } from './templates.ts';

/** Returns the logical ids of a circular dependency, which CloudFormation rejects; undefined if there is none. */
function cycleIn({ Resources }: Template): string[] | undefined {
  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    const resource = Resources[id];
    if (resource === undefined || done.has(id)) return undefined;
    for (const next of dependenciesOf(resource)) {
      const cycle = visit(next, [...path, id]);
      if (cycle) return cycle;
    }
    done.add(id);
    return undefined;
  };
  for (const id of Object.keys(Resources)) {
    const cycle = visit(id, []);
    if (cycle) return cycle;
  }
  return undefined;
}

/** Returns the references in the properties, the update policy and `DependsOn` of a resource. */
function dependenciesOf(resource: Resource): Set<string> {
  const found = new Set(resource.DependsOn ?? []);
  JSON.stringify(resource, (_key, value) => {
    if (typeof value?.Ref === 'string') found.add(value.Ref);
    const attribute = value?.['Fn::GetAtt'];
    if (Array.isArray(attribute)) found.add(String(attribute[0]));
    return value;
  });
  return found;
}

const canary = templateOf('byDefault');
const atOnce = templateOf('lean');
const everything = templateOf('full');

interface AlarmMetric {
  readonly MetricStat?: { readonly Metric: object };
}

const ROLLED_OUT = ['DeploymentsApi', 'DeploymentsSite', 'GenerationApi'];
const ids = (template: Template, type: string) => resources(template, type).map(([id]) => id);
const aliasIds = ids(canary, 'AWS::Lambda::Alias');
const siteAlias = aliasIds.find((id) => id.startsWith('DeploymentsSite')) ?? '';

it('gives the functions that users wait for an alias with traffic shifting in two steps', () => {
  expect(aliasIds.map((id) => id.replace(/Live.*/, '')).toSorted()).toEqual(ROLLED_OUT);
  const groups = resources(canary, 'AWS::CodeDeploy::DeploymentGroup');
  expect(groups).toHaveLength(3);
  for (const [, alias] of resources(canary, 'AWS::Lambda::Alias')) {
    const { DeploymentGroupName, ApplicationName } = alias.UpdatePolicy?.CodeDeployLambdaAliasUpdate ?? {};
    const [, group] = groups.find(([one]) => one === DeploymentGroupName?.Ref) as [string, Resource];
    expect(group.Properties).toMatchObject({
      ApplicationName,
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: expect.arrayContaining(['DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST']),
      },
    });
    const [{ Name: alarm }] = group.Properties.AlarmConfiguration.Alarms;
    const { Properties: errors } = canary.Resources[alarm.Ref] as Resource;
    // The 5xx that users get, also those of exceptions that the function catches, by version.
    const watched = errors.Metrics.flatMap(({ MetricStat }: AlarmMetric) => MetricStat?.Metric ?? []);
    const version = alias.Properties.FunctionVersion;
    expect(watched).toMatchObject([
      {
        MetricName: 'Errors',
        Dimensions: expect.arrayContaining([{ Name: 'ExecutedVersion', Value: version }]),
      },
      {
        MetricName: 'FailedRequests',
        Dimensions: [
          { Name: 'Function', Value: alias.Properties.FunctionName },
          { Name: 'Version', Value: version },
        ],
      },
    ]);
    const [, fn] = resources(canary, 'AWS::Lambda::Function').find(
      ([one]) => one === alias.Properties.FunctionName.Ref,
    ) as [string, Resource];
    expect(fn.Properties.Environment.Variables.METRICS_NAMESPACE).toBe('Test');
  }
});

it('switches at once without CodeDeploy, and replaces no resource of the canary rollout', () => {
  expect(JSON.stringify(atOnce)).not.toMatch(/CodeDeploy|NewVersionErrors/);
  for (const type of ['AWS::Lambda::Alias', 'AWS::Lambda::Url']) expect(ids(atOnce, type)).toEqual(ids(canary, type));
  const permissions = ids(canary, 'AWS::Lambda::Permission').filter(
    // The other stage has neither.
    (id) => !/^Canary|TestDataApi/.test(id),
  );
  expect(ids(atOnce, 'AWS::Lambda::Permission')).toEqual(expect.arrayContaining(permissions));
});

it('makes API Gateway and CloudFront invoke the aliases', () => {
  const uris = JSON.stringify(propertiesOf(canary, 'AWS::ApiGateway::Method'));
  for (const id of aliasIds) expect(uris.includes(`{"Ref":"${id}"}`)).toBe(id !== siteAlias);
  expect(uris).not.toMatch(/"(GenerationApi|DeploymentsApi)[0-9A-F]{8}","Arn"/);
  const urls = propertiesOf(canary, 'AWS::Lambda::Url');
  expect(urls.map(({ Qualifier }) => Qualifier)).toEqual(['live', undefined]);
});

it('creates permissions before an update sends requests to a new alias', () => {
  const dependencies = (id: string) => everything.Resources[id]?.DependsOn ?? [];
  const invoking = (id: string) =>
    dependencies(id)
      .map((one) => everything.Resources[one])
      .filter((one) => one?.Type === 'AWS::Lambda::Permission' && one.Properties.FunctionName.Ref)
      .map((one) => `${one?.Properties.Action} ${one?.Properties.FunctionName.Ref.replace(/Live.*/, '')}`);
  const distributions = ids(everything, 'AWS::CloudFront::Distribution');
  expect(distributions).toHaveLength(3);
  for (const id of distributions)
    expect(invoking(id).toSorted()).toEqual([
      'lambda:InvokeFunction DeploymentsSite',
      'lambda:InvokeFunctionUrl DeploymentsSite',
    ]);
  const [deployment = ''] = ids(everything, 'AWS::ApiGateway::Deployment');
  expect(invoking(deployment).toSorted()).toEqual([
    'lambda:InvokeFunction DeploymentsApi',
    'lambda:InvokeFunction GenerationApi',
  ]);
});

it('rolls back on the alarms that page, without a circular dependency', () => {
  for (const template of [canary, everything]) {
    const health = resources(template, 'AWS::CloudWatch::CompositeAlarm').map(([, { Properties }]) =>
      [...JSON.stringify(Properties.AlarmRule).matchAll(/"(Monitoring\w+)"/g)].map(([, id = '']) => id),
    );
    const names = health.flat().map((id) => template.Resources[id]?.Properties.AlarmName);
    expect(names.length).toBeGreaterThan(5);
    for (const { AlarmConfiguration } of propertiesOf(template, 'AWS::CodeDeploy::DeploymentGroup')) {
      const [, ...others] = AlarmConfiguration.Alarms.map(({ Name }: { Name: unknown }) => Name);
      expect(others.toSorted()).toEqual(names.toSorted());
      expect(others.every((name: unknown) => typeof name === 'string')).toBe(true);
    }
    expect(cycleIn(template)).toBeUndefined();
  }
});

it('retains versions for a rollback, except the version of a failed deployment', () => {
  const versions = resources(canary, 'AWS::Lambda::Version');
  expect(versions.length).toBeGreaterThan(0);
  for (const [, version] of versions)
    expect(version).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
});
