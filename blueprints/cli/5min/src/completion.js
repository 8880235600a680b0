import { name } from './config.js';
import { Failure } from './entries.js';

/** What each shell runs to complete the commands, and file names where no command fits. */
const SCRIPTS = {
  bash: (words) => `complete -o default -W '${words}' ${name}`,
  zsh: (words) => `_${name}() { (( CURRENT == 2 )) && compadd ${words} || _files }\ncompdef _${name} ${name}`,
  fish: (words) => `complete -c ${name} -f -n __fish_use_subcommand -a '${words}'`,
};

/** The script for a shell, to be put into its start-up file. */
export function completion(shell, commands) {
  if (!Object.hasOwn(SCRIPTS, shell ?? '')) throw new Failure(`For which shell? ${Object.keys(SCRIPTS).join(', ')}`, 2);
  return SCRIPTS[shell](commands.join(' '));
}
