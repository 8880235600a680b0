import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
  Metric,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { ownMetric, type Resources } from './alarms.ts';

const FIVE_MINUTES = Duration.minutes(5);
const HOUR = Duration.hours(1);

interface DashboardProps {
  readonly resources: Resources;
  readonly api: RestApi;
  /** The namespace of custom metrics. */
  readonly namespace: string;
  readonly config: Pick<StageConfig, 'stage' | 'providers'>;
  readonly alarms: readonly Alarm[];
}

/** The stage's dashboard: health, providers, costs and limits. The first three dashboards of an account are free. */
export class StageDashboard extends Dashboard {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id, {
      defaultInterval: Duration.hours(12),
      widgets: [
        [new AlarmStatusWidget({ title: 'Health', alarms: [...props.alarms], width: 24, height: 4 })],
        health(props),
        providers(props),
        today(props),
      ],
    });
  }
}

function health({ api, resources, namespace }: DashboardProps): IWidget[] {
  const errors = api.metricServerError({ period: FIVE_MINUTES, label: 'API 5xx' });
  const requests = api.metricCount({ period: FIVE_MINUTES, label: 'API requests' });
  return [
    graph('Requests and errors', [requests], [errors]),
    graph('API latency in milliseconds', [
      api.metricLatency({ period: FIVE_MINUTES, statistic: 'p50', label: 'p50 ms' }),
      api.metricLatency({ period: FIVE_MINUTES, statistic: 'p95', label: 'p95 ms' }),
    ]),
    graph('Errors of pages', resources.distributions.map(edgeErrors)),
    graph('Duration of deploys in milliseconds', [
      ownMetric(namespace, 'DeployMs', 'p50', FIVE_MINUTES),
      ownMetric(namespace, 'DeployMs', 'p95', FIVE_MINUTES),
    ]),
  ];
}

function providers({ namespace, config }: DashboardProps): IWidget[] {
  const byProvider = (name: string) =>
    Object.keys(config.providers).map((Provider) =>
      ownMetric(namespace, name, 'Sum', FIVE_MINUTES, { Provider }).with({ label: Provider }),
    );
  return [
    graph('Failed attempts by provider', byProvider('AttemptsFailed')),
    graph('Successful attempts by provider', byProvider('AttemptsSucceeded')),
    graph('Cool-downs by provider', byProvider('CoolDowns')),
    graph('Milliseconds until the first file', [
      ownMetric(namespace, 'FirstFileMs', 'p50', FIVE_MINUTES),
      ownMetric(namespace, 'FirstFileMs', 'p95', FIVE_MINUTES),
    ]),
  ];
}

function today({ namespace }: DashboardProps): IWidget[] {
  const cost = ownMetric(namespace, 'CostMicroUsd', 'Sum', HOUR);
  const dollars = new MathExpression({
    expression: 'cost / 1000000',
    usingMetrics: { cost },
    period: HOUR,
    label: 'US dollars per hour',
  });
  return [
    graph(
      'Cost and used budget',
      [dollars],
      ['BudgetUsed', 'AnonymousBudgetUsed'].map((name) => ownMetric(namespace, name, 'Maximum', HOUR)),
    ),
    graph('Rate-limited requests', [ownMetric(namespace, 'Limited', 'Sum', FIVE_MINUTES)]),
    graph('Held pages', [ownMetric(namespace, 'PagesHeld', 'Sum', HOUR)]),
    graph('Concurrent executions', [
      new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'ConcurrentExecutions',
        statistic: 'Maximum',
        period: FIVE_MINUTES,
      }),
    ]),
  ];
}

/** CloudFront publishes its metrics in us-east-1. */
function edgeErrors({ distributionId: DistributionId, node }: Resources['distributions'][number]): IMetric {
  return new Metric({
    namespace: 'AWS/CloudFront',
    metricName: '5xxErrorRate',
    dimensionsMap: { DistributionId, Region: 'Global' },
    region: 'us-east-1',
    statistic: 'Average',
    period: FIVE_MINUTES,
    label: `${node.id}: % 5xx`,
  });
}

function graph(title: string, left: readonly IMetric[], right: readonly IMetric[] = []): GraphWidget {
  return new GraphWidget({ title, left: [...left], right: [...right], width: 6, height: 6 });
}
