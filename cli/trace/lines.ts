import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CloudWatchLogsClient,
  GetQueryResultsCommand,
  paginateDescribeLogGroups,
  type ResultField,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';

/** A log line of a function. */
export interface TraceLine {
  /** The date, followed by `HH:MM:SS.mmm`. */
  readonly time: string;
  /** The name of the function, such as `GenerationApi`. */
  readonly source: string;
  /** The members of a JSON line; `message` for a text line. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The most log groups that a query may have. https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_StartQuery.html */
const MOST_GROUPS = 50;
export const MOST_LINES = 1_000;
const POLL_MS = 500;

/**
 * Returns the lines that contain a text, from all log groups of a stack, in chronological order.
 * @param days how many days to search
 * @throws Error if the stack has no log groups, or the query fails
 */
export async function linesWith(
  text: string,
  days: number,
  { stackName, logs }: { readonly stackName: string; readonly logs: CloudWatchLogsClient },
): Promise<TraceLine[]> {
  const logGroupNames = await groupsOf(stackName, logs);
  if (logGroupNames.length === 0)
    throw new Error(`${stackName} has no log groups that functions have written to`);
  const endTime = Math.floor(Date.now() / 1_000) + 60;
  const query = `fields @timestamp, @log, @message | filter @message like "${text}" | sort @timestamp asc | limit ${MOST_LINES}`;
  const { queryId } = await logs.send(
    new StartQueryCommand({
      logGroupNames,
      startTime: endTime - days * 86_400,
      endTime,
      queryString: query,
    }),
  );
  const rows = await resultOf(queryId ?? '', logs);
  return rows.map((row) => lineOf(row, stackName));
}

async function groupsOf(stackName: string, client: CloudWatchLogsClient): Promise<string[]> {
  const names: string[] = [];
  for await (const { logGroups = [] } of paginateDescribeLogGroups(
    { client },
    { logGroupNamePrefix: `${stackName}-` },
  ))
    names.push(...logGroups.map(({ logGroupName = '' }) => logGroupName));
  return names.filter((name) => isGroupOf(name, stackName)).slice(0, MOST_GROUPS);
}

/** Reports whether a log group belongs to a stack, and not to another stack whose name begins like its name. */
export function isGroupOf(group: string, stackName: string): boolean {
  // Logical ids begin with a capital letter, but the rest of the name of another stage does not.
  return group.startsWith(`${stackName}-`) && /^[A-Z]/.test(group.slice(stackName.length + 1));
}

async function resultOf(queryId: string, logs: CloudWatchLogsClient): Promise<ResultField[][]> {
  for (;;) {
    const { status, results = [] } = await logs.send(new GetQueryResultsCommand({ queryId }));
    if (status === 'Complete') return results;
    if (status !== 'Running' && status !== 'Scheduled')
      throw new Error(`The query of the logs ended as ${status}`);
    await sleep(POLL_MS);
  }
}

function lineOf(row: readonly ResultField[], stackName: string): TraceLine {
  const value = (name: string) => row.find(({ field }) => field === name)?.value ?? '';
  return {
    time: value('@timestamp'),
    source: sourceOf(value('@log'), stackName),
    fields: fieldsOf(value('@message').trim()),
  };
}

/** Returns the name of the function of a log group, such as `111122223333:stack-GenerationApiLogs0A1B2C3D-X`. */
function sourceOf(log: string, stackName: string): string {
  const group = log.slice(log.indexOf(':') + 1);
  return group.replace(`${stackName}-`, '').replace(/Logs[0-9A-F]{8}.*$/, '');
}

function fieldsOf(message: string): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(message);
    if (fields instanceof Object) return fields as Record<string, unknown>;
  } catch {
    // Lambda's runtime writes some text lines.
  }
  return { message };
}
