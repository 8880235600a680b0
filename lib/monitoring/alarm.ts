import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';

/** The most metrics in an alarm's expression. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Create-alarm-on-metric-math-expression.html */
const METRICS_PER_ALARM = 10;

/** The metrics of an alarm, and the condition for it to go off. */
export interface AlarmOf {
  /** What the alarm means, as a sentence without a full stop. */
  readonly means: string;
  /** The heading in the runbook, if it is not the id. */
  readonly section?: string;
  /** An alarm for each: more than one only if a sum has more metrics than one alarm can read. */
  readonly metrics: readonly IMetric[];
  /** The threshold: the alarm goes off above this value. */
  readonly above: number;
  /** In how many periods the value must be above the threshold. By default 1. */
  readonly periods?: number;
  /** How many periods are evaluated. By default `periods`. */
  readonly of?: number;
  /** Whether missing data counts as above the threshold. By default, it counts as below. */
  readonly silenceIsBad?: boolean;
}

/** Alarms of one severity. The description of each explains what it means and links to its section of the runbook. */
export class Alarms extends Construct {
  readonly all: Alarm[] = [];
  readonly #runbook: string;

  constructor(scope: Construct, id: string, runbook: string) {
    super(scope, id);
    this.#runbook = runbook;
  }

  /** Adds an alarm. @param id in Pascal case; the heading of its section in the runbook, in lower case, is its anchor */
  add(
    id: string,
    { means, section = id, metrics, above, periods = 1, of = periods, silenceIsBad = false }: AlarmOf,
  ): Alarm[] {
    const added = metrics.map((metric, i) => {
      const name = i === 0 ? id : `${id}${i + 1}`;
      return new Alarm(this, name, {
        metric,
        threshold: above,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        evaluationPeriods: of,
        datapointsToAlarm: periods,
        treatMissingData: silenceIsBad ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
        alarmDescription: `${means}. ${this.#runbook}#${section.toLowerCase()}`,
      });
    });
    this.all.push(...added);
    return added;
  }
}

/** Returns a custom metric, which functions write to their logs: see `emitMetrics`. */
export function ownMetric(
  namespace: string,
  metricName: string,
  statistic: string,
  period: Duration,
  dimensionsMap: Record<string, string> = {},
): Metric {
  return new Metric({ namespace, metricName, statistic, period, dimensionsMap });
}

/** Returns the sum of metrics in as few expressions as possible. */
export function sums(metrics: readonly Metric[], period: Duration = Duration.minutes(1)): MathExpression[] {
  const parts = Array.from({ length: Math.ceil(metrics.length / METRICS_PER_ALARM) }, (_, i) =>
    metrics.slice(i * METRICS_PER_ALARM, (i + 1) * METRICS_PER_ALARM),
  );
  return parts.map((part) => {
    const named = part.map((metric, i) => [`m${i}`, metric] as const);
    // A metric has no value for a minute without an event, and a sum with a missing term has no value.
    const expression = named.map(([name]) => `FILL(${name}, 0)`).join(' + ');
    return new MathExpression({ expression, usingMetrics: Object.fromEntries(named), period });
  });
}
