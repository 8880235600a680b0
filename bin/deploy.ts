import { runProcess } from '../terminal/process.ts';
import { main } from './release/deploy-command.ts';

await runProcess(main);
