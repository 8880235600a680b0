import { runProcess } from '../terminal/process.ts';
import { main } from './rotate/command.ts';

await runProcess(main);
