import { runProcess } from '../terminal/process.ts';
import { main } from './trace/command.ts';

await runProcess(main);
