import { runProcess } from '../terminal/program.ts';
import { main } from './deploy/destroy-command.ts';

await runProcess(main);
