import { LOGGED_ID_CHARACTERS } from '../../lambda/platform/log.ts';
import {
  type CommandIo,
  main as command,
  EXIT_CODES_OF_OPERATORS,
  UsageError,
} from '../../terminal/program.ts';
import { addStageOption, openStage } from '../stage.ts';
import { linesWith, MOST_LINES, type TraceLine } from './lines.ts';

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

/** `npm run trace` */
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
