import { runProcess } from '../terminal/program.ts';
import { main } from './smoke-command.ts';

await runProcess(main);
