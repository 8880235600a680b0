import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { spawn as spawnTerminal } from '@lydell/node-pty';

const PTP = resolve('bin/ptp.js');

export interface RunOptions {
  readonly cwd?: string;
  /** In place of the variables of this process, except for PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** What stdin contains; by default it is empty. */
  readonly input?: string;
  /** A script in place of `ptp`. */
  readonly script?: string;
  /** Width of the terminal. */
  readonly columns?: number;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const variables = (env: RunOptions['env']) => ({ PATH: process.env.PATH ?? '', ...env });

/** Runs `ptp` with pipes as stdin, stdout and stderr. */
export function ptp(args: readonly string[], { cwd, env, input = '', script = PTP }: RunOptions = {}) {
  return new Promise<Ran>((done) => {
    const child = spawn(process.execPath, [script, ...args], { env: variables(env), ...(cwd && { cwd }) });
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        printed[name] += text;
      });
    // A command that does not read stdin may be gone before the input is written.
    child.stdin.on('error', () => {}).end(input);
    child.on('close', (code) => done({ code, ...printed }));
  });
}

/** Follows the output of a command in a terminal, with its exit code. */
const END = /\[exit code (\d+)\]$/;

/** Runs a command, and stays until all of its output was read: `node-pty` drops what is not read 200 ms after an exit. */
const STAYING = 'trap : INT; "$@"; printf "[exit code %d]" $?; exec sleep 1000';

/** Runs `ptp` in a pseudo-terminal. */
export function terminal(args: readonly string[], { cwd, env, script = PTP, columns = 100 }: RunOptions = {}) {
  const command = [process.execPath, script, ...args];
  const child = spawnTerminal('sh', ['-c', STAYING, 'sh', ...command], {
    cols: columns,
    rows: 30,
    env: { TERM: 'xterm-256color', ...variables(env) },
    ...(cwd && { cwd }),
  });
  let output = '';
  let listener = () => {};
  const { promise: exit, resolve: end } = Promise.withResolvers<number>();
  child.onData((data) => {
    output += data;
    listener();
    const [, code] = END.exec(output) ?? [];
    if (code === undefined) return;
    child.kill('SIGKILL');
    end(Number(code));
  });
  const raw = () => output.replace(END, '');
  const text = () => stripVTControlCharacters(raw());
  return {
    /** Everything that was written, with escape sequences. */
    raw,
    text,
    /** Resolves once the text is shown. @throws Error if the command ends without it */
    shows(expected: string): Promise<void> {
      return new Promise((done, fail) => {
        listener = () => text().includes(expected) && done();
        listener();
        exit.then(() => fail(new Error(`"${expected}" is not shown, only:\n${text()}`)));
      });
    },
    type: (keys: string) => child.write(keys),
    exit,
  };
}
