import { writeLine } from './log.ts';

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDatum.html */
export type Unit = 'Count' | 'Milliseconds' | 'Percent' | 'None';

export type Dimensions = Readonly<Record<string, string>>;

/**
 * Writes values of metrics as a log line from which CloudWatch extracts them, so a function makes no API call.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 *
 * Each metric costs $0.30 a month for each combination of its dimensions: docs/operating.md lists all metrics.
 * @param values by the name of the metric
 */
export function emitMetrics(
  unit: Unit,
  values: Readonly<Record<string, number>>,
  dimensions: Dimensions = {},
): void {
  const namespace = process.env.METRICS_NAMESPACE;
  if (namespace === undefined) return;
  const metrics = Object.keys(values).map((Name) => ({ Name, Unit: unit }));
  const directive = { Namespace: namespace, Dimensions: [Object.keys(dimensions)], Metrics: metrics };
  const metadata = { Timestamp: Date.now(), CloudWatchMetrics: [directive] };
  writeLine({ _aws: metadata, ...dimensions, ...values });
}
