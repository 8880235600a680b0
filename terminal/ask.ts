import type { Writable } from 'node:stream';
import { type CommandIo, InterruptedError, UsageError } from './program.ts';
import { streamOf } from './safe-output.ts';
import { printable } from './text.ts';

/** Whether a person can be asked: neither stdin nor stderr, where questions go, is redirected. */
export function isInteractive({ stdin, stderr }: Pick<CommandIo, 'stdin' | 'stderr'>): boolean {
  return Boolean(stdin?.isTTY && stderr.isTTY);
}

/**
 * Asks whether to go on with something that cannot be taken back. Does not return if the reply is no.
 * @throws UsageError without a terminal
 */
export async function confirm(question: string, io: Pick<CommandIo, 'stdin' | 'stderr'>): Promise<void> {
  if (!isInteractive(io)) throw new UsageError('This needs a confirmation, but there is no terminal: add --yes');
  const clack = await import('@clack/prompts');
  const reply = await clack.confirm({ message: printable(question), initialValue: false, ...streams(io) });
  if (clack.isCancel(reply)) throw new InterruptedError();
  if (!reply) throw new Error('Nothing was changed');
}

/** Asks for a secret, which is not shown. */
export async function askSecret(question: string, io: Pick<CommandIo, 'stdin' | 'stderr'>): Promise<string> {
  // Without this, the terminal shows what is typed while the module of the prompt is loaded.
  if (io.stdin?.isTTY) io.stdin.setRawMode(true);
  const clack = await import('@clack/prompts');
  const reply = await clack.password({ message: printable(question), ...streams(io) });
  if (clack.isCancel(reply)) throw new InterruptedError();
  return reply ?? '';
}

/** Returns all of stdin. */
export async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8')) text += chunk;
  return text;
}

/** stdout carries the result only, so questions go to stderr. */
function streams({ stdin, stderr }: Pick<CommandIo, 'stdin' | 'stderr'>) {
  return {
    ...(stdin && { input: stdin }),
    output: streamOf(stderr) as unknown as Writable,
    withGuide: false,
  };
}

interface Choice<Value> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

/** Asks for one of some choices; the first one is selected. @throws Interrupted for Ctrl-C or Escape */
export async function choose<Value extends string>(
  question: string,
  choices: readonly Choice<Value>[],
  io: Pick<CommandIo, 'stdin' | 'stderr'>,
): Promise<Value> {
  const clack = await import('@clack/prompts');
  const reply = await clack.select<string>({
    message: printable(question),
    options: [...choices],
    ...streams(io),
  });
  if (clack.isCancel(reply)) throw new InterruptedError();
  return reply as Value;
}
