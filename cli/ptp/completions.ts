import type { Command, Option } from 'commander';

/** A word that a shell can offer, and what it means. */
export type Completion = readonly [word: string, description: string];

/**
 * Returns what can take the place of the last word.
 * @param words the words after `ptp`; the last one is being typed and may be empty
 * @returns nothing where a file or any other value is expected
 */
export function completions(program: Command, words: readonly string[]): Completion[] {
  const typed = words.at(-1) ?? '';
  const { command, option } = contextOf(program, words.slice(0, -1));
  const own = typed.startsWith('-') ? optionsOf(command) : wordsOf(command);
  const offered = option ? choices(option) : own;
  return offered.filter(([word]) => word.startsWith(typed));
}

/** Returns the command that the words name, and the last one if it is an option that needs a value. */
function contextOf(program: Command, words: readonly string[]): { command: Command; option?: Option } {
  let command = program;
  let option: Option | undefined;
  for (const word of words) {
    const isValue = option !== undefined;
    option = isValue
      ? undefined
      : visibleOptions(command).find(
          ({ required, long, short }) => required && (word === long || word === short),
        );
    if (!isValue) command = command.commands.find((known) => known.name() === word) ?? command;
  }
  return { command, ...(option && { option }) };
}

/** Returns what can follow a command: its subcommands, or the arguments that are one of a few words. */
function wordsOf(command: Command): Completion[] {
  if (command.parent && command.name() === 'help') return [...wordsOf(command.parent), ['exit-codes', '']];
  const commands = command.createHelp().visibleCommands(command);
  const named = commands.map((known): Completion => [known.name(), known.description()]);
  return [...named, ...command.registeredArguments.flatMap(choices)];
}

function choices({ argChoices = [] }: { readonly argChoices?: readonly string[] }): Completion[] {
  return argChoices.map((word) => [word, '']);
}

function optionsOf(command: Command): Completion[] {
  return visibleOptions(command).map(({ long, short, description }) => [long ?? short ?? '', description]);
}

/** Returns the options of a command, then those of its parents. */
function visibleOptions(command: Command): Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}
