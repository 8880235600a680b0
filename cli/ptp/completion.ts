import { Argument, type Command, type Option } from 'commander';
import type { Context } from './context.ts';

/**
 * The shells ask this program on every Tab, so that what they offer is never out of date. They are those of macOS, too:
 * its sed does not know `\t`, and its bash (3.2) reads nothing from `source <(…)`.
 */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_ptp() {
  local IFS=$'\\n'
  COMPREPLY=($(ptp complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _ptp ptp
`,
  zsh: `#compdef ptp
_ptp() {
  local -a found
  found=("\${(@f)$(ptp complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null | sed -e 's/:/\\\\:/g' -e $'s/\\t/:/')}")
  [[ -n "$found" ]] && _describe ptp found || _files
}
compdef _ptp ptp
`,
  fish: `complete -c ptp -a '(ptp complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
};

const NOTES = `
Put one of these where your shell starts:
  bash  eval "$(ptp completion bash)"        in ~/.bashrc
  zsh   eval "$(ptp completion zsh)"         in ~/.zshrc, after compinit
  fish  ptp completion fish | source         in ~/.config/fish/config.fish`;

/** `ptp completion`, and `ptp complete`, which its scripts call. */
export function registerCompletion(program: Command, { stdout }: Context): void {
  program
    .command('completion')
    .description('print a script for your shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', NOTES)
    .action((shell: string) => {
      stdout.write(SCRIPTS[shell] ?? '');
    });
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      for (const [word, meaning] of completions(program, words)) stdout.write(`${word}\t${meaning}\n`);
    });
}

/** A word that a shell can offer, and what it means. */
type Completion = readonly [word: string, description: string];

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
      : visibleOptions(command).find(({ required, long, short }) => required && (word === long || word === short));
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
