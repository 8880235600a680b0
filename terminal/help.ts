import type { Command } from 'commander';
import type { CommandIo, Output } from './io.ts';

/** Makes a program print its help, and nothing else, by itself; and throw where commander would end the process. */
export function configureHelp(program: Command, { stdout, stderr, env }: CommandIo): void {
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
