import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';

/** The most metrics of the expression of an alarm. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Create-alarm-on-metric-math-expression.html */
const METRICS_PER_ALARM = 10;

/** What an alarm watches, and when it is one. */
export interface AlarmOf {
  /** What it means, as a sentence without a full stop. */
  readonly means: string;
  /** The heading in the runbook, if it is not the id. */
  readonly section?: string;
  /** More than one only if the parts of a sum exceed what an alarm may have. */
  readonly metrics: readonly IMetric[];
  /** It is one above this value. */
  readonly above: number;
  /** In how many periods. By default 1. */
  readonly periods?: number;
  /** Of how many. By default, as many. */
  readonly of?: number;
  /** No data is a bad sign. By default, it is a good one. */
  readonly silenceIsBad?: boolean;
}

/** Alarms of one severity. Each says in its description what it means, and where the runbook says what to do. */
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

/** Returns a metric of our own, which functions write into their logs: see `emitMetrics`. */
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
    // A metric has no value for a minute without an event, and a sum has none if one of its terms has none.
    const expression = named.map(([name]) => `FILL(${name}, 0)`).join(' + ');
    return new MathExpression({ expression, usingMetrics: Object.fromEntries(named), period });
  });
}
