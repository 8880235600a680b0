import { execFileSync } from 'node:child_process';
import { EDGE_CASES } from '../../bin/release/edge-cases.ts';
import { edgeFunctionsIn } from '../../bin/release/edge-functions.ts';
import { cycleIn } from './cycle.ts';
import { propertiesOf, type Resource, resources, synthesized, type Template } from './synthesized.ts';

const [canary, atOnce, everything] = synthesized(
  {},
  { rollout: 'all-at-once' },
  { siteDomain: 'sites.localhost', customDomains: true },
) as [Template, Template, Template];

const ROLLED_OUT = ['DeploymentsApi', 'DeploymentsSite', 'GenerationApi'];
const ids = (template: Template, type: string) => resources(template, type).map(([id]) => id);
const aliasIds = ids(canary, 'AWS::Lambda::Alias');
const siteAlias = aliasIds.find((id) => id.startsWith('DeploymentsSite')) ?? '';

it('gives the functions that users wait for an alias, whose traffic moves in two steps', () => {
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
    expect(errors.MetricName).toBe('Errors');
    const version = alias.Properties.FunctionVersion;
    expect(errors.Dimensions).toContainEqual({ Name: 'ExecutedVersion', Value: version });
  }
});

it('keeps versions, for a way back, but not that of a failed deployment', () => {
  for (const [, version] of resources(canary, 'AWS::Lambda::Version'))
    expect(version).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
});

it('switches at once without CodeDeploy, and replaces nothing that the canary has', () => {
  expect(JSON.stringify(atOnce)).not.toMatch(/CodeDeploy|AWS::CloudWatch::Alarm/);
  for (const type of ['AWS::Lambda::Alias', 'AWS::Lambda::Url', 'AWS::Lambda::Permission'])
    expect(ids(atOnce, type)).toEqual(ids(canary, type));
});

it('has API Gateway and CloudFront call the aliases', () => {
  const uris = JSON.stringify(propertiesOf(canary, 'AWS::ApiGateway::Method'));
  for (const id of aliasIds) expect(uris.includes(`{"Ref":"${id}"}`)).toBe(id !== siteAlias);
  expect(uris).not.toMatch(/"(GenerationApi|DeploymentsApi)[0-9A-F]{8}","Arn"/);
  const urls = propertiesOf(canary, 'AWS::Lambda::Url');
  expect(urls.map(({ Qualifier }) => Qualifier)).toEqual(['live', undefined]);
});

it('never sends requests to what may not be invoked yet: an update creates permissions first', () => {
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

it('has CloudFront functions that can be tested before they are published', () => {
  const names = edgeFunctionsIn(everything).map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.keys(EDGE_CASES).toSorted());
});

it('rolls back on alarms of any function, without a circle between an alarm and the alias', () => {
  const json = execFileSync(process.execPath, ['test/infra/synthesize-rollback.ts'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  });
  const template = JSON.parse(json) as Template;
  const names = propertiesOf(template, 'AWS::CloudWatch::Alarm').flatMap(({ AlarmName = [] }) => AlarmName);
  expect(names).toHaveLength(9);
  for (const { AlarmConfiguration } of propertiesOf(template, 'AWS::CodeDeploy::DeploymentGroup')) {
    const [, ...others] = AlarmConfiguration.Alarms.map(({ Name }: { Name: unknown }) => Name);
    expect(others).toEqual(names);
  }
  expect(cycleIn(template)).toBeUndefined();
  expect(cycleIn(everything)).toBeUndefined();
});
