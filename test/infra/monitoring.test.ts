import { globSync, readFileSync } from 'node:fs';
import { PROVIDER_NAMES } from '../../lambda/contract/generate.ts';
import { resourceOf, resources, type Template, templateOf, withoutHash } from './templates.ts';

const byDefault = templateOf('byDefault');
const full = templateOf('full');
const alarms = resources(full, 'AWS::CloudWatch::Alarm');
const composites = resources(full, 'AWS::CloudWatch::CompositeAlarm');

interface AlarmMetric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
}

interface AlarmProperties extends Partial<AlarmMetric> {
  readonly Metrics?: readonly { readonly MetricStat?: { readonly Metric: AlarmMetric } }[];
}

/** Returns the metrics of an alarm in the template. */
function metricsOf({ Namespace, MetricName, Dimensions = [], Metrics = [] }: AlarmProperties): AlarmMetric[] {
  if (Namespace !== undefined && MetricName !== undefined) return [{ Namespace, MetricName, Dimensions }];
  return Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
}

it('links every alarm to a section of the runbook', () => {
  const text = readFileSync('docs/runbook.md', 'utf8');
  const anchors = new Set(Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = '']) => heading.toLowerCase()));
  const links = [...alarms, ...composites].map(([id, { Properties }]) => [id, Properties.AlarmDescription]);
  expect(links.length).toBeGreaterThan(14);
  for (const [id, description] of links) {
    const [, anchor] = /https:\/\/git\.example\/r\.md#(\w+)$/.exec(description) ?? [];
    expect([id, anchors.has(anchor ?? '')]).toEqual([id, true]);
  }
  // The runbook has no section without an alarm.
  const sections = Array.from(text.matchAll(/^### (.*)$/gm), ([, heading = '']) => heading.toLowerCase());
  const linked = new Set(links.map(([, description]) => description.split('#').at(-1)));
  expect(sections.filter((section) => !linked.has(section))).toEqual([]);
});

it('notifies once of alarms with one cause, and separately of a budget', () => {
  // CodeDeploy reads the alarms of new versions.
  const silent = alarms.filter(
    ([id, { Properties }]) => Properties.AlarmActions === undefined && !id.includes('NewVersionErrors'),
  );
  const [, unhealthy] = composites[0] ?? [];
  const rule = JSON.stringify(unhealthy?.Properties.AlarmRule);
  expect(composites).toHaveLength(1);
  expect(silent.filter(([id]) => !rule.includes(`"${id}"`))).toEqual([]);
  expect(alarms.filter(([id]) => rule.includes(`"${id}"`)).length).toBe(silent.length);
  expect(alarms.filter(([id]) => id.startsWith('MonitoringPageBudgetSpent'))).toHaveLength(1);
});

it('raises a ticket for notifications that receivers do not take, which never roll back a release', () => {
  const isOfWebhooks = (properties: AlarmProperties) => JSON.stringify(properties).includes('"WebhooksStateMachine');
  const watching = alarms.filter(([, { Properties }]) => isOfWebhooks(Properties)).map(([id]) => id);
  expect(watching.map(withoutHash)).toEqual(['MonitoringTicketUndelivered']);
});

/** The functions that only state machines invoke. */
const PATIENT = ['DeploymentLooksLook', 'DeploymentsWithdrawal', 'WebhooksDeliver'];

it('takes no throttle for an error that a state machine waits out, as of ten deploys or deletes at once', () => {
  const throttled = alarms.filter(([id]) => id.startsWith('MonitoringPageThrottled'));
  const watched = throttled
    .flatMap(([, { Properties }]) => metricsOf(Properties))
    .flatMap(({ Dimensions }) => Dimensions);
  const names = watched.map((dimension) => JSON.stringify(dimension));
  const isWatched = (fn: string) => names.some((name) => name.includes(`"${fn}`));
  expect(['GenerationApi', 'DeploymentsSite', 'DataApi', 'GenerationAttempt'].filter(isWatched)).toHaveLength(4);
  expect(['DeploymentLooksLook', 'DeploymentsWithdrawal', 'WebhooksDeliver', 'BuildsBuild'].filter(isWatched)).toEqual(
    [],
  );
});

it('is not in alarm before the canary was started for the first time, which is after everything that it uses', () => {
  const failed = resourceOf(full, 'AWS::CloudWatch::Alarm', 'MonitoringPageCanaryFailed').Properties;
  expect(failed.TreatMissingData).toBe('notBreaching');
  expect(failed.Metrics.map(({ Expression }: { Expression?: string }) => Expression)).toContain(
    'FILL(failures, starts)',
  );
  const [rule, { DependsOn = [] } = { DependsOn: [] }] =
    resources(full, 'AWS::Events::Rule').find(([id]) => id.startsWith('Canary')) ?? [];
  expect(metricsOf(failed)).toContainEqual(
    expect.objectContaining({
      MetricName: 'TriggeredRules',
      Dimensions: [{ Name: 'RuleName', Value: { Ref: rule } }],
    }),
  );
  const needed = ['AWS::CloudFront::Distribution', 'AWS::ApiGateway::Stage'].flatMap((type) =>
    resources(full, type).map(([id]) => id),
  );
  expect(DependsOn).toEqual(expect.arrayContaining(needed));
});

it('watches every function that serves any caller, state machine and table', () => {
  const watched = JSON.stringify(alarms.map(([, { Properties }]) => metricsOf(Properties)));
  const types = ['AWS::Lambda::Function', 'AWS::StepFunctions::StateMachine', 'AWS::DynamoDB::GlobalTable'];
  const unwatched = types
    .flatMap((type) => resources(full, type))
    .filter(([id]) => !watched.includes(`{"Ref":"${id}"}`) && !id.startsWith('CustomCDK'))
    // Throttles of tenants who wait for an instance, and of state machines, which are watched themselves.
    .filter(
      ([id, { Properties }]) => Properties.TenancyConfig === undefined && !PATIENT.some((fn) => id.startsWith(fn)),
    );
  expect(unwatched.map(([id]) => id)).toEqual([]);
});

it('does not depend on the latest minutes of a sum, whose metrics are late and filled with zeros', () => {
  const filled = alarms
    .map(([, { Properties }]) => Properties)
    .filter(({ Metrics = [] }) => /FILL.*"Period":60[,}]/s.test(JSON.stringify(Metrics)));
  expect(filled.length).toBeGreaterThan(3);
  for (const { EvaluationPeriods, DatapointsToAlarm } of filled)
    expect(EvaluationPeriods - DatapointsToAlarm).toBeGreaterThanOrEqual(2);
});

it('has at most ten metrics in an alarm', () => {
  for (const [, { Properties }] of alarms) expect(metricsOf(Properties).length).toBeLessThanOrEqual(10);
});

it('documents all custom metrics, of which AWS charges for each, and has at most 30', () => {
  const code = globSync('lambda/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  const emitted = code
    .flatMap((text) => [...text.matchAll(/emitMetrics\(\s*'\w+',\s*\{ (\w+)[^}]*\}(,\s*\{ Provider)?/g)])
    .map(([, name = '', byProvider]) => ({ name, count: byProvider ? PROVIDER_NAMES.length : 1 }));
  const counts = new Map(emitted.map(({ name, count }) => [name, count]));
  expect(counts.size).toBeGreaterThan(8);
  expect([...counts.values()].reduce((sum, count) => sum + count)).toBeLessThanOrEqual(30);
  const operating = readFileSync('docs/operating.md', 'utf8');
  expect([...counts.keys()].filter((name) => !operating.includes(`\`${name}\``))).toEqual([]);
});

it('traces everything if configured, and nothing by default', () => {
  const traces = (one: Template) =>
    [
      ...JSON.stringify(one).matchAll(
        /"TracingConfig":\{"Mode":"Active"|"TracingConfiguration":\{"Enabled":true|"TracingEnabled":true/g,
      ),
    ].length;
  const ours = resources(full, 'AWS::Lambda::Function').filter(([id]) => !id.startsWith('CustomCDK'));
  expect(traces(full)).toBe(ours.length + resources(full, 'AWS::StepFunctions::StateMachine').length + 1);
  expect(traces(byDefault)).toBe(0);
});
