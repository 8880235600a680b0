import { runProcess } from '../terminal/process.ts';
import { main } from './deploy/deploy-command.ts';

await runProcess(main);
