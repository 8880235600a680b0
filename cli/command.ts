import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** A mistake in the command line. The usage is printed after its message. */
export class UsageError extends Error {}

/** The part of a process that a command uses; `process` is one. */
export interface CommandIo {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
}

export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Runs a command and returns its exit code. */
export type Main = (argv: readonly string[], io: CommandIo) => Promise<number>;

/** Matches an API key. Error messages may end up in logs, so they show only its id, the first group. */
const KEY = /ptp_([0-9A-Za-z]{12})\w*/g;

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ args: string[]; allowPositionals: true; options: Options & typeof HELP }>
>;

/**
 * Returns the main function of a command. `--help` prints the usage on stdout, with exit code 0. An error is printed on
 * stderr as its message, without the secret of any key, with exit code 1.
 * @param options the command's own options; every command has `--help` as well
 */
export function command<const Options extends ParseArgsOptionsConfig>(
  usage: string,
  options: Options,
  perform: (parsed: Parsed<Options>, io: CommandIo) => Promise<void>,
): Main {
  return async (argv, io) => {
    try {
      const parsed = parse(argv, { ...options, ...HELP });
      if ((parsed.values as { help?: boolean }).help) io.stdout.write(`${usage}\n`);
      else await perform(parsed as Parsed<Options>, io);
      return 0;
    } catch (error) {
      const message = (error instanceof Error ? error.message : String(error)).replaceAll(KEY, '$1');
      io.stderr.write(error instanceof UsageError ? `${message}\n\n${usage}\n` : `${message}\n`);
      return 1;
    }
  };
}

/** @throws UsageError when there are positional arguments */
export function refuseArguments(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new UsageError(`Unexpected argument: ${positionals.join(' ')}`);
}

function parse(argv: readonly string[], options: ParseArgsOptionsConfig) {
  const input = { args: [...argv], allowPositionals: true, options };
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
