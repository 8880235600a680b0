export type Dimensions = Readonly<Record<string, string>>;

/** The identity of a metric, as alarms specify it. */
export interface MetricName {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Dimensions;
}

/** Receives a value of a metric. */
export type PutMetric = (metric: MetricName, value: number) => void;

export type Statistic = 'Sum' | 'Maximum';

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
  return JSON.stringify([
    namespace,
    name,
    Object.entries(dimensions).toSorted(([a], [b]) => a.localeCompare(b)),
  ]);
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
export type Values = Readonly<Record<string, number | undefined>>;

type Value = number | undefined;

const TOKEN = /\s*(>=|<=|==|!=|[()+\-*/,<>]|\d+(?:\.\d+)?|[A-Za-z_]\w*)/y;

/**
 * Returns the value of a metric math expression in a period; as on AWS, undefined if a metric that it needs has no
 * value.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 * @param quotas of the metrics of AWS/Usage, by the id of the metric
 * @throws Error for a function that the local cloud does not support
 */
export function evaluate(expression: string, values: Values, quotas: Values = {}): Value {
  return new Parser(tokensOf(expression), values, quotas).whole();
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const [, token] = TOKEN.exec(expression) ?? [];
    if (token === undefined) throw new Error(`The local cloud does not support the expression ${expression}`);
    tokens.push(token);
  }
  return tokens;
}

/** Applies an operator to two values, if both are defined. */
function apply(operator: string, left: Value, right: Value): Value {
  if (left === undefined || right === undefined) return undefined;
  const results: Readonly<Record<string, number>> = {
    '+': left + right,
    '-': left - right,
    '*': left * right,
    '/': left / right,
    '>': Number(left > right),
    '<': Number(left < right),
    '>=': Number(left >= right),
    '<=': Number(left <= right),
    '==': Number(left === right),
    '!=': Number(left !== right),
  };
  return results[operator];
}

/** Operators by precedence, lowest first. */
const LEVELS = [
  ['>', '<', '>=', '<=', '==', '!='],
  ['+', '-'],
  ['*', '/'],
] as const;

class Parser {
  readonly #tokens: readonly string[];
  readonly #values: Values;
  readonly #quotas: Values;
  #at = 0;

  constructor(tokens: readonly string[], values: Values, quotas: Values) {
    this.#tokens = tokens;
    this.#values = values;
    this.#quotas = quotas;
  }

  whole(): Value {
    const value = this.#operation(0);
    if (this.#at < this.#tokens.length) throw new Error(`Unexpected ${this.#tokens[this.#at]}`);
    return value;
  }

  #operation(level: number): Value {
    const operators: readonly string[] | undefined = LEVELS[level];
    if (operators === undefined) return this.#operand();
    let value = this.#operation(level + 1);
    for (;;) {
      const operator = this.#tokens[this.#at] ?? '';
      if (!operators.includes(operator)) return value;
      this.#at++;
      value = apply(operator, value, this.#operation(level + 1));
    }
  }

  #operand(): Value {
    const token = this.#next();
    if (token === '(') {
      const value = this.#operation(0);
      this.#expect(')');
      return value;
    }
    if (/^\d/.test(token)) return Number(token);
    if (this.#tokens[this.#at] === '(') return this.#call(token);
    return this.#value(token);
  }

  #call(name: string): Value {
    this.#expect('(');
    if (name === 'SERVICE_QUOTA') {
      const quota = this.#quotas[this.#next()];
      this.#expect(')');
      return quota;
    }
    const values = [this.#operation(0)];
    while (this.#tokens[this.#at] === ',') {
      this.#at++;
      values.push(this.#operation(0));
    }
    this.#expect(')');
    const [first, second, third] = values;
    if (name === 'FILL') return first ?? second;
    if (name === 'IF') return first ? second : third;
    throw new Error(`The local cloud does not support ${name} in metric math`);
  }

  #value(id: string): Value {
    if (!Object.hasOwn(this.#values, id)) throw new Error(`The expression has no metric ${id}`);
    return this.#values[id];
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Error('The expression ends too early');
    this.#at++;
    return token;
  }

  #expect(token: string): void {
    const found = this.#next();
    if (found !== token) throw new Error(`Unexpected ${found}: expected ${token}`);
  }
}
