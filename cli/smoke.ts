import { runProcess } from './program.ts';
import { main } from './smoke-command.ts';

await runProcess(main);
