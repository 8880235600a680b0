import { subscribe } from 'node:diagnostics_channel';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The id of an anonymous generation lets whoever has it read the project, and so does that of a staged body. Lines have so much of it
 * that a query finds its own lines only, and nobody guesses the rest.
 */
export const LOGGED_ID_CHARACTERS = 12;

/** Such an id in a path, also within a message. */
const CAPABILITY = new RegExp(`(/(?:generations|staged)/[\\w-]{${LOGGED_ID_CHARACTERS}})[\\w-]+`, 'g');

/** What the current invocation is about. An instance of a function handles one at a time. */
let about: Fields = {};
let invocations = 0;
let calls = 0;

// The clients of AWS use `node:http`, those of providers `fetch`.
subscribe('http.client.request.start', () => {
  calls++;
});

/** Begins an invocation: until the next one, every line has these fields, such as the id of a request or a generation. */
export function logAbout(fields: Fields): void {
  about = fields;
  invocations++;
  calls = 0;
}

/** Adds fields to the lines of the current invocation. */
export function addToLog(fields: Fields): void {
  about = { ...about, ...fields };
}

/** Returns the ids that the lines of another function are to have, which works for this invocation. */
export function loggedIds(): Fields {
  return about;
}

/** Returns what the current invocation took: calls of AWS with their retries, and whether it began an instance. */
export function invocationCost(): { readonly awsCalls: number; readonly coldStart: boolean } {
  return { awsCalls: calls, coldStart: invocations === 1 };
}

let write = (line: string): void => {
  process.stdout.write(line);
};

/** Has all lines written elsewhere, as tests do. */
export function writeLogTo(sink: (line: string) => void): void {
  write = sink;
}

/**
 * Writes a line of JSON. Not with `console`, whose text Lambda puts into a member of another object: CloudWatch would find neither
 * the fields of a line nor its metrics.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export function writeLine(record: object): void {
  write(`${JSON.stringify(record).replace(CAPABILITY, '$1…')}\n`);
}

/** Writes structured log lines, with what the invocation is about. */
export const log = {
  info: (event: string, fields: Fields = {}) => writeEvent('INFO', event, fields),
  error: (event: string, { error, ...fields }: Fields) =>
    writeEvent('ERROR', event, { ...fields, ...describe(error) }),
};

function writeEvent(level: 'INFO' | 'ERROR', event: string, fields: Fields): void {
  const { generation, ...others } = { ...about, ...fields };
  const id = typeof generation === 'string' ? { generation: loggedId(generation) } : {};
  writeLine({ timestamp: new Date().toISOString(), level, event, ...id, ...others });
}

/** Returns what lines have of the id of a generation. */
export function loggedId(generation: string): string {
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
