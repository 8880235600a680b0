import { runProcess } from '../terminal/process.ts';
import { main } from './review/command.ts';

await runProcess(main);
