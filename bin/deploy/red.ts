import type { CommandIo } from '../../terminal/program.ts';

/** Returns a function that colors text red, if the output is a terminal and colors are not turned off. */
export function redFor({ stdout, env }: Pick<CommandIo, 'stdout' | 'env'>): (text: string) => string {
  const isColored = stdout.isTTY && !env.NO_COLOR;
  return (text) => (isColored ? `\x1b[31m${text}\x1b[39m` : text);
}
