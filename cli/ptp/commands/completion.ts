import { Argument, type Command } from 'commander';
import { completions } from '../completions.ts';
import type { Context } from '../context.ts';

/**
 * The shells ask this program on every Tab, so that what they offer is never out of date. They are those of macOS, too: its sed
 * does not know `\t`, and its bash (3.2) reads nothing from `source <(…)`.
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
export function register(program: Command, { stdout }: Context): void {
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
