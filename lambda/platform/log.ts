import { subscribe } from 'node:diagnostics_channel';
import { isThrottled } from './unreachable.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * How much of an id log lines contain. The ids of anonymous generations and staged bodies grant access, so lines contain enough
 * characters to be found by a query, but too few to guess the rest.
 */
export const LOGGED_ID_CHARACTERS = 12;

/** Such an id in a path, the key of an object, the ARN of an execution, or a message. */
const CAPABILITY = new RegExp(
  `((?:\\b(?:generations|staged)/|:execution:[\\w-]+:|\\bgeneration )[\\w-]{${LOGGED_ID_CHARACTERS}})[\\w-]{9,}`,
  'g',
);

/** The log fields of the current invocation. An instance of a function handles one invocation at a time. */
let about: Fields = {};
let invocations = 0;
let calls = 0;

// AWS clients use `node:http`, while clients of providers use `fetch`.
subscribe('http.client.request.start', () => {
  calls++;
});

/** Begins an invocation. Until the next call, every line has these fields, such as the id of a request or a generation. */
export function logAbout(fields: Fields): void {
  about = fields;
  invocations++;
  calls = 0;
}

/** Adds fields to the lines of the current invocation. */
export function addToLog(fields: Fields): void {
  about = { ...about, ...fields };
}

/** Returns the log fields of this invocation, as lines contain them, to pass to a function that it invokes. */
export function loggedIds(): Fields {
  return withLoggedId(about);
}

/** Returns the number of AWS calls of the current invocation, including retries, and whether it is the first of its instance. */
export function invocationCost(): { readonly awsCalls: number; readonly coldStart: boolean } {
  return { awsCalls: calls, coldStart: invocations === 1 };
}

let write = (line: string): void => {
  process.stdout.write(line);
};

/** Redirects all lines to a sink, for tests. */
export function writeLogTo(sink: (line: string) => void): void {
  write = sink;
}

/**
 * Writes a JSON line. It does not use `console`, whose text Lambda wraps in another object: CloudWatch would find neither the fields
 * of a line nor its metrics.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
function writeLine(record: object): void {
  write(`${JSON.stringify(record).replace(CAPABILITY, '$1…')}\n`);
}

/** Writes structured log lines, with the fields of the invocation. */
export const log = {
  info: (event: string, fields: Fields = {}) => writeEvent('INFO', event, fields),
  error: (event: string, { error, ...fields }: Fields) => writeEvent('ERROR', event, { ...fields, ...describe(error) }),
};

function writeEvent(level: 'INFO' | 'ERROR', event: string, fields: Fields): void {
  writeLine({ timestamp: new Date().toISOString(), level, event, ...withLoggedId({ ...about, ...fields }) });
}

function withLoggedId({ generation, ...others }: Fields): Fields {
  return typeof generation === 'string' ? { generation: loggedId(generation), ...others } : others;
}

/** Returns the part of the id of a generation that lines may contain. */
function loggedId(generation: string): string {
  return generation.slice(0, LOGGED_ID_CHARACTERS);
}

/** Returns name, message and stack of an error and its causes, and the request id of an SDK error. */
function describe(error: unknown): Fields {
  if (!(error instanceof Error)) return error === undefined ? {} : { error: String(error) };
  const { $metadata } = error as { $metadata?: { requestId?: string } };
  return {
    error: error.name,
    message: error.message,
    stack: error.stack,
    ...($metadata?.requestId ? { awsRequestId: $metadata.requestId } : {}),
    ...(error.cause ? { cause: describe(error.cause) } : {}),
  };
}

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDatum.html */
type Unit = 'Count' | 'Milliseconds' | 'Percent' | 'None';

type Dimensions = Readonly<Record<string, string>>;

/**
 * Writes values of metrics as a log line from which CloudWatch extracts them, so a function makes no API call.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 *
 * Each metric costs $0.30 a month for each combination of its dimensions: docs/operating.md lists all metrics.
 * @param values by the name of the metric
 */
export function emitMetrics(unit: Unit, values: Readonly<Record<string, number>>, dimensions: Dimensions = {}): void {
  const namespace = process.env.METRICS_NAMESPACE;
  if (namespace === undefined) return;
  const metrics = Object.keys(values).map((Name) => ({ Name, Unit: unit }));
  const directive = { Namespace: namespace, Dimensions: [Object.keys(dimensions)], Metrics: metrics };
  const metadata = { Timestamp: Date.now(), CloudWatchMetrics: [directive] };
  writeLine({ _aws: metadata, ...dimensions, ...values });
}

/**
 * Counts a request that got a 5xx although everything works, such as a build beyond those that a caller may run: anyone can cause as
 * many as he likes, and no alarm may tell the operator of them at night.
 */
export function countRefusedRequest(): void {
  emitMetrics('Count', { RefusedRequests: 1 });
}

/**
 * Counts a request that failed with an exception and got a 5xx, by the version of the function: Lambda's own metric of errors lacks
 * exceptions that a function catches, and an alarm on this one stops the rollout of a version. Throttling does not count: anyone who
 * floods the item of his own site causes it, in any version.
 */
export function countFailedRequest(error: unknown): void {
  if (isThrottled(error)) return;
  const { AWS_LAMBDA_FUNCTION_NAME: name = '', AWS_LAMBDA_FUNCTION_VERSION: Version = '' } = process.env;
  emitMetrics('Count', { FailedRequests: 1 }, { Function: name, Version });
}
