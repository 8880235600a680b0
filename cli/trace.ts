import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CloudWatchLogsClient,
  GetQueryResultsCommand,
  paginateDescribeLogGroups,
  type ResultField,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { LOGGED_ID_CHARACTERS } from '../lambda/platform/log.ts';
import {
  type CommandIo,
  main as command,
  EXIT_CODES_OF_OPERATORS,
  runProcess,
  UsageError,
} from '../terminal/program.ts';
import { addStageOption, openStage } from './stage.ts';

const NOTES = `
Prints the log lines of a stage's functions about a generation, a deployment or a
request, in order: time, function, event, and the other fields. Lines contain ids,
numbers, statuses and reasons, but no prompts, contents or credentials.
docs/runbook.md explains the events.

${EXIT_CODES_OF_OPERATORS}`;

/** Ids of generations, deployments and requests. No quotes, which could end the string in the query. */
const ID = /^[\w=-]{6,80}$/;

interface Options {
  readonly days: string;
  readonly stack?: string;
}

export const main = command('npm run trace --', (program, io) => {
  addStageOption(program)
    .description('Prints the log lines about a generation, a deployment or a request')
    .argument('<id>', 'the id of a generation or a deployment, or the X-Request-Id of a response')
    .option('--days <number>', 'how far back, at most 30', '2')
    .addHelpText('after', NOTES)
    .action((id: string, options: Options) => trace(id, options, io));
});

async function trace(id: string, { days, stack }: Options, { stdout, env }: CommandIo): Promise<void> {
  if (!ID.test(id)) throw new UsageError(`Invalid id ${id}: expected 6 to 80 of A-Z, a-z, 0-9, _, = and -`);
  if (!/^([1-9]|[12]\d|30)$/.test(days)) throw new UsageError(`Invalid --days ${days}: expected 1 to 30`);
  using stage = await openStage(stack, env);
  const lines = await linesWith(loggedPart(id), Number(days), stage);
  if (lines.length === 0)
    throw new Error(
      `No line of the last ${days} days contains ${id}: lines appear some seconds after they are written`,
    );
  for (const line of lines) stdout.write(`${textOf(line)}\n`);
  if (lines.length === MOST_LINES) stdout.write(`Only the first ${MOST_LINES} lines are shown.\n`);
}

/** Ids of generations, which have 21 characters, are cut in the logs. */
function loggedPart(id: string): string {
  return /^[\w-]{21}$/.test(id) ? id.slice(0, LOGGED_ID_CHARACTERS) : id;
}

/** Fields that are shown separately from the others. */
const SHOWN_APART = new Set(['timestamp', 'level', 'event', 'stack', 'cause']);

function textOf({ time, source, fields }: TraceLine): string {
  const { event = '', stack } = fields;
  const rest = Object.entries(fields)
    .filter(([name]) => !SHOWN_APART.has(name))
    .map(([name, value]) => `${name}=${shown(value)}`);
  const line = [time, source.padEnd(20), String(event).padEnd(12), rest.join(' ')].join('  ').trimEnd();
  return typeof stack === 'string' ? `${line}\n${indented(stack)}` : line;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return /\s/.test(value) ? JSON.stringify(value) : value;
  return JSON.stringify(value) ?? '';
}

const indented = (text: string) => text.replace(/^/gm, '      ');

/** A log line of a function. */
interface TraceLine {
  /** The date, followed by `HH:MM:SS.mmm`. */
  readonly time: string;
  /** The name of the function, such as `GenerationApi`. */
  readonly source: string;
  /** The members of a JSON line; `message` for a text line. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * The most log groups that a query may have.
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_StartQuery.html
 */
const MOST_GROUPS = 50;
const MOST_LINES = 1_000;
const POLL_MS = 500;

/**
 * Returns the lines that contain a text, from all log groups of a stack, in chronological order.
 * @param days how many days to search
 * @throws Error if the stack has no log groups, or the query fails
 */
async function linesWith(
  text: string,
  days: number,
  { stackName, logs }: { readonly stackName: string; readonly logs: CloudWatchLogsClient },
): Promise<TraceLine[]> {
  const logGroupNames = await groupsOf(stackName, logs);
  if (logGroupNames.length === 0) throw new Error(`${stackName} has no log groups that functions have written to`);
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
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, { logGroupNamePrefix: `${stackName}-` }))
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
    if (status !== 'Running' && status !== 'Scheduled') throw new Error(`The query of the logs ended as ${status}`);
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

if (import.meta.main) await runProcess(main);
