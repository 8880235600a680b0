import { runProcess } from './process.ts';
import { main } from './smoke-command.ts';

await runProcess(main);
