import { runProcess } from '../terminal/process.ts';
import { main } from './smoke-command.ts';

await runProcess(main);
