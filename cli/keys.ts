import { main } from './keys-command.ts';

process.exitCode = await main(process.argv.slice(2), process);
