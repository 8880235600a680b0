import vm from 'node:vm';

export type Dimensions = Readonly<Record<string, string>>;

/** The identity of a metric, as alarms specify it. */
export interface MetricName {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Dimensions;
}

/** Receives a value of a metric. */
export type PutMetric = (metric: MetricName, value: number) => void;

type Statistic = 'Sum' | 'Maximum';

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
    return statistic === 'Sum' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  }
}

/**
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
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
  return JSON.stringify([namespace, name, Object.entries(dimensions).toSorted(([a], [b]) => a.localeCompare(b))]);
}

/** Returns a metric of a function. @param arn of the function, or of one of its aliases */
export function functionMetric(name: string, arn: string): MetricName {
  const FunctionName = arn.split(':')[6] ?? arn;
  return { namespace: 'AWS/Lambda', name, dimensions: { FunctionName } };
}

/**
 * Returns a metric of a function, and the same metric of its version if an alias was invoked.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
 * @param version the version that every alias points to
 */
export function versionMetrics(name: string, arn: string, version: string): MetricName[] {
  const ofFunction = functionMetric(name, arn);
  const { FunctionName = '' } = ofFunction.dimensions;
  const qualifier = arn.split(':')[7];
  if (qualifier === undefined) return [ofFunction];
  const dimensions = { FunctionName, Resource: `${FunctionName}:${qualifier}`, ExecutedVersion: version };
  return [ofFunction, { ...ofFunction, dimensions }];
}

/** The values of an expression's metrics; undefined for a metric without a value in the period. */
type Values = Readonly<Record<string, number | undefined>>;

/** Functions of metric math. `NaN` stands for a missing value: as on AWS, what is computed with one has none. */
const FUNCTIONS = {
  FILL: (value: number, other: number) => (Number.isNaN(value) ? other : value),
  IF: (condition: boolean | number, value: number, other: number) => (condition ? value : other),
};

/**
 * Returns the value of a metric math expression in a period; undefined if a metric that it needs has no value.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 * @param quota of every metric of AWS/Usage
 * @throws Error that names what the local cloud does not support
 */
export function evaluate(expression: string, values: Values, quota = Number.NaN): number | undefined {
  const known = Object.entries(values).map(([id, value]) => [id, value ?? Number.NaN] as const);
  const context = { ...FUNCTIONS, SERVICE_QUOTA: () => quota, ...Object.fromEntries(known) };
  const names = expression.match(/[A-Za-z_]\w*/g) ?? [];
  const unknown = names.find((name) => !Object.hasOwn(context, name));
  if (unknown !== undefined || !/^[\w\s.,()<>+*/-]+$/.test(expression))
    throw new Error(`The local cloud does not support ${unknown ?? 'an operator'} in ${expression}`);
  // What is left has the same meaning in JavaScript.
  const value = Number(vm.runInNewContext(expression, context));
  return Number.isNaN(value) ? undefined : value;
}
