import { runProcess } from './program.ts';
import { main } from './takedown-command.ts';

await runProcess(main);
