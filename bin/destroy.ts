import { runProcess } from '../terminal/process.ts';
import { main } from './release/destroy-command.ts';

await runProcess(main);
