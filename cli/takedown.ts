import { runProcess } from '../terminal/process.ts';
import { main } from './takedown/command.ts';

await runProcess(main);
