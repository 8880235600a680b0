import { name } from './config.js';
import { Failure } from './entries.js';

/** The script of each shell, which completes commands, and file names after them. */
const SCRIPTS = {
  bash: (words) => `complete -o default -W '${words}' ${name}`,
  zsh: (words) => `_${name}() { (( CURRENT == 2 )) && compadd ${words} || _files }\ncompdef _${name} ${name}`,
  fish: (words) => `complete -c ${name} -f -n __fish_use_subcommand -a '${words}'`,
};

/** Returns the completion script for a shell. */
export function completion(shell, commands) {
  if (!Object.hasOwn(SCRIPTS, shell ?? '')) throw new Failure(`Unknown shell: use ${Object.keys(SCRIPTS).join(', ')}.`, 2);
  return SCRIPTS[shell](commands.join(' '));
}
