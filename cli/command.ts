import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** A mistake of the person at the keyboard, told as a sentence before the usage. */
export class UsageError extends Error {}

/** A key, typed where it does not belong: errors end in logs, and show its id alone. */
const KEY = /ptp_([0-9A-Za-z]{12})\w*/g;

const COMMON = { stack: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ args: string[]; allowPositionals: true; options: Options & typeof COMMON }>
>;

/**
 * Runs an operator's command on the arguments of this process; `--stack` and `--help` are options of every one.
 * What it throws ends as its message on stderr, without the secret of any key, and exit code 1.
 */
export async function runCommand<const Options extends ParseArgsOptionsConfig>(
  usage: string,
  options: Options,
  perform: (parsed: Parsed<Options>) => Promise<void>,
): Promise<void> {
  try {
    const parsed = parse({ ...options, ...COMMON });
    if ((parsed.values as { help?: boolean }).help) console.log(usage);
    else await perform(parsed as Parsed<Options>);
  } catch (error) {
    const message = (error as Error).message.replaceAll(KEY, '$1');
    console.error(error instanceof UsageError ? `${message}\n\n${usage}` : message);
    process.exitCode = 1;
  }
}

function parse(options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args: process.argv.slice(2), allowPositionals: true, options });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
