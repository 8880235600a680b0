import { main } from './smoke-command.ts';

process.exitCode = await main(process.argv.slice(2), process);
