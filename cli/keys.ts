import { main } from './keys-command.ts';
import { runProcess } from './process.ts';

await runProcess(main);
