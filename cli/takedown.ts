import { runProcess } from './process.ts';
import { main } from './takedown-command.ts';

await runProcess(main);
