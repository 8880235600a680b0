import { runProcess } from '../terminal/process.ts';
import { main } from './keys/command.ts';

await runProcess(main);
