import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** A mistake in the command line. The usage is printed after its message. */
export class UsageError extends Error {}

/** An API key. Messages may end in logs: only the key's id is shown. */
const KEY = /ptp_([0-9A-Za-z]{12})\w*/g;

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ args: string[]; allowPositionals: true; options: Options & typeof HELP }>
>;

/**
 * Runs a command on the arguments of this process. `--help` prints the usage on stdout, with exit code 0. An error is
 * printed on stderr as its message, without the secret of any key, with exit code 1.
 * @param options the command's own options; every command has `--help` as well
 */
export async function runCommand<const Options extends ParseArgsOptionsConfig>(
  usage: string,
  options: Options,
  perform: (parsed: Parsed<Options>) => Promise<void>,
): Promise<void> {
  try {
    const parsed = parse({ ...options, ...HELP });
    if ((parsed.values as { help?: boolean }).help) console.log(usage);
    else await perform(parsed as Parsed<Options>);
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).replaceAll(KEY, '$1');
    console.error(error instanceof UsageError ? `${message}\n\n${usage}` : message);
    process.exitCode = 1;
  }
}

/** @throws UsageError when there are positional arguments */
export function refuseArguments(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new UsageError(`Unexpected argument: ${positionals.join(' ')}`);
}

function parse(options: ParseArgsOptionsConfig) {
  const input = { args: process.argv.slice(2), allowPositionals: true, options };
  const { tokens } = parseArgs({ ...input, strict: false, tokens: true });
  const unknown = tokens.find((token) => token.kind === 'option' && !Object.hasOwn(options, token.name));
  if (unknown?.kind === 'option') {
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`Unknown option ${unknown.rawName}: the options are ${known.join(', ')}`);
  }
  try {
    return parseArgs(input);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
