import { runProcess } from '../terminal/process.ts';
import { main } from './deploy/destroy-command.ts';

await runProcess(main);
