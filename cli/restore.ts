import { runProcess } from '../terminal/process.ts';
import { main } from './restore/command.ts';

await runProcess(main);
