import { runProcess } from '../terminal/program.ts';
import { main } from './deploy/deploy-command.ts';

await runProcess(main);
