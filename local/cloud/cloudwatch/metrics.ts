export type Dimensions = Readonly<Record<string, string>>;

/** The identity of a metric, as alarms specify it. */
export interface MetricName {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Dimensions;
}

/** Receives a value of a metric. */
export type PutMetric = (metric: MetricName, value: number) => void;

export type Statistic = 'Sum' | 'Maximum' | 'Minimum' | 'Average' | 'SampleCount';

interface Sample {
  readonly at: number;
  readonly value: number;
}

/** Longer than the longest period of an alarm that needs more than one sample here. */
const KEPT_MS = 24 * 3_600_000;
const MOST_SAMPLES = 10_000;

/** The metrics of local services and functions, kept in memory for a day. */
export class Metrics {
  readonly #samples = new Map<string, Sample[]>();

  /** Adds a value, at a time in Unix milliseconds. */
  put({ namespace, name, dimensions }: MetricName, value: number, at = Date.now()): void {
    const key = keyOf({ namespace, name, dimensions });
    const samples = this.#samples.get(key) ?? [];
    samples.push({ at, value });
    const first = samples[0];
    if (samples.length > MOST_SAMPLES || (first && first.at < at - KEPT_MS)) samples.shift();
    this.#samples.set(key, samples);
  }

  /** Adds the metrics of a log line in the embedded metric format. @returns false for any other line */
  putLine(line: string): boolean {
    const document = embedded(line);
    if (!document) return false;
    const { Timestamp, CloudWatchMetrics } = document._aws;
    for (const { Namespace: namespace, Dimensions: sets, Metrics: metrics } of CloudWatchMetrics)
      for (const names of sets)
        for (const { Name: name } of metrics) {
          const dimensions = Object.fromEntries(names.map((each) => [each, String(document[each])]));
          this.put({ namespace, name, dimensions }, Number(document[name]), Timestamp);
        }
    return true;
  }

  /** Returns a statistic of the samples in a period, in Unix milliseconds; undefined without samples. */
  statistic(metric: MetricName, statistic: Statistic, from: number, to: number): number | undefined {
    const samples = this.#samples.get(keyOf(metric)) ?? [];
    const values = samples.filter(({ at }) => at > from && at <= to).map(({ value }) => value);
    if (values.length === 0) return undefined;
    const sum = values.reduce((total, value) => total + value, 0);
    const statistics: Readonly<Record<Statistic, number>> = {
      Sum: sum,
      Maximum: Math.max(...values),
      Minimum: Math.min(...values),
      Average: sum / values.length,
      SampleCount: values.length,
    };
    return statistics[statistic];
  }
}

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html */
interface EmbeddedMetrics {
  readonly _aws: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string }[];
    }[];
  };
  readonly [member: string]: unknown;
}

/** Returns undefined for other lines, and for a line that a killed function did not finish. */
function embedded(line: string): EmbeddedMetrics | undefined {
  if (!line.startsWith('{"_aws":')) return undefined;
  try {
    return JSON.parse(line) as EmbeddedMetrics;
  } catch {
    return undefined;
  }
}

function keyOf({ namespace, name, dimensions }: MetricName): string {
  return JSON.stringify([
    namespace,
    name,
    Object.entries(dimensions).toSorted(([a], [b]) => a.localeCompare(b)),
  ]);
}
