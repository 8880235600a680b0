import { runProcess } from '../terminal/process.ts';
import { main } from './limits/command.ts';

await runProcess(main);
