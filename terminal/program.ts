import { Command } from 'commander';
import { type Output, SafeOutput } from './safe-output.ts';

export type { Output };

/** The part of a process that a command uses; `process` is one. */
export interface CommandIo {
  readonly stdin?: NodeJS.ReadStream | undefined;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
}

/** A mistake in the command line. Where to find help is printed after its message. */
export class UsageError extends Error {}

/** Runs a command and returns its exit code. */
export type Main = (argv: readonly string[], io: CommandIo) => Promise<number>;

/** The user ended a command with Ctrl-C or Escape. Nothing is printed. */
export class InterruptedError extends Error {}

/** Exit codes, documented by `ptp help exit-codes` and in the help of the operator's commands. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  unauthorized: 3,
  rateLimited: 4,
  unavailable: 5,
  interrupted: 130,
} as const;

/** For the help of a command that operates a service. */
export const EXIT_CODES_OF_OPERATORS = `Exit codes: ${EXIT.ok} success, ${EXIT.failed} failed, ${EXIT.usage} wrong command line`;

/** Matches an API key. Error messages may end up in logs, so they show only its id, the first group. */
const KEY = /ptp_([0-9A-Za-z]{12})\w*/g;

/** A command whose mistakes are thrown as one line, and whose subcommands do the same. */
class Program extends Command {
  override createCommand(name?: string): Command {
    return new Program(name).helpCommand(false);
  }

  override error(message: string, { code }: { code?: string } = {}): never {
    const excess = this.args.slice(this.registeredArguments.length).join(' ');
    const text = code === 'commander.excessArguments' ? `Unexpected argument: ${excess}` : oneLine(message);
    throw Object.assign(new UsageError(text), { command: this as Command });
  }
}

const CHOICES =
  /^(?:option '(--[\w-]+).*' argument|command-argument value) '(.*)' is invalid(?: for argument '(.+)')?\. Allowed choices are (.+)\.$/s;

/** Returns a message of commander as a sentence like those of this project, with its suggestion in the same line. */
function oneLine(message: string): string {
  const text = message
    .replace(/^error: /, '')
    .replace(/\.?\n\(Did you mean (.+)\?\)$/s, ': did you mean $1?')
    .replace(
      CHOICES,
      (_, option, value, argument, choices) => `invalid ${option ?? argument} ${value}: expected one of ${choices}`,
    );
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The exit codes and the advice of a command's own errors. */
export interface Judge {
  /** Returns the exit code of an error that is not a mistake in the command line. */
  exitCode(error: unknown): number;
  /** Returns what the user can do about an error, if its message does not say so. */
  advice(error: unknown): string | undefined;
}

const JUDGE: Judge = { exitCode: () => EXIT.failed, advice: () => undefined };

/**
 * Returns the main function of a command: help on stdout if it is asked for, and any error as one line on stderr,
 * without the secret of any key.
 * @param name as the user types it, such as `npm run keys --`
 * @param build adds options, subcommands and actions
 */
export function main(name: string, build: (program: Command, io: CommandIo) => void, judge: Judge = JUDGE): Main {
  return async (argv, process) => {
    const io = safeIo(process);
    const program = new Program(name);
    let running: Command = program;
    configureHelp(program, io);
    program.hook('preAction', (_, action) => {
      running = action;
    });
    build(program, io);
    try {
      await program.parseAsync(argv, { from: 'user' });
      return EXIT.ok;
    } catch (error) {
      if (isHelp(error)) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      const code = exitCode(error, judge);
      if (code !== EXIT.interrupted) io.stderr.write(`${lineOf(error, running, judge)}\n`);
      return code;
    }
  };
}

/** Returns the streams of a process, without those that pass control characters on. */
function safeIo(io: CommandIo): CommandIo {
  const { env } = io;
  return {
    // Node opens it on first use.
    get stdin() {
      return io.stdin;
    },
    stdout: new SafeOutput(io.stdout, env),
    stderr: new SafeOutput(io.stderr, env),
    env,
  };
}

function exitCode(error: unknown, judge: Judge): number {
  if (error instanceof UsageError) return EXIT.usage;
  return error instanceof InterruptedError ? EXIT.interrupted : judge.exitCode(error);
}

/** Whether commander ends because it has printed help or the version; without an error if that was asked for. */
function isHelp(error: unknown): error is { exitCode: number } {
  return error instanceof Error && 'code' in error && /^commander\.(help|version)/.test(String(error.code));
}

function lineOf(error: unknown, running: Command, judge: Judge): string {
  const message = (error instanceof Error ? error.message : String(error))
    .replaceAll(KEY, '$1')
    .replaceAll(/\s*\n\s*/g, ' ');
  const { command = running } = error as { command?: Command };
  const advice = error instanceof UsageError ? `Run "${pathOf(command)} --help" for help` : judge.advice(error);
  return advice === undefined ? message : `${message}${/[.?!]$/.test(message) ? '' : '.'} ${advice}`;
}

/** Returns a command as it is typed, such as `ptp assets upload`. */
function pathOf(command: Command): string {
  return [...(command.parent ? [pathOf(command.parent)] : []), command.name()].join(' ');
}

/** Makes a program print its help, and nothing else, by itself; and throw where commander would end the process. */
function configureHelp(program: Command, { stdout, stderr, env }: CommandIo): void {
  const colored = ({ isTTY = false }: Output) => isTTY && !env.NO_COLOR;
  program
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp({
      showGlobalOptions: true,
      // Every command has options.
      subcommandTerm: (command) => `${command.name()} ${command.usage().replace(/\[options\] ?/, '')}`.trim(),
      styleTitle: (title) => `\x1b[1m${title}\x1b[22m`,
    })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHasColors: () => colored(stdout),
      getErrHasColors: () => colored(stderr),
      getOutHelpWidth: () => Math.min(stdout.columns ?? 80, 100),
      getErrHelpWidth: () => Math.min(stderr.columns ?? 80, 100),
    });
}

/** Runs a command as this process. A reader that closes its end of a pipe ends the process quietly. */
export async function runProcess(command: Main): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (stream === process.stdout) process.exit();
    });
  process.exitCode = await command(process.argv.slice(2), process);
}
