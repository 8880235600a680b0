import { main } from './keys-command.ts';
import { runProcess } from './program.ts';

await runProcess(main);
