import type { Command } from 'commander';
import type { Context } from '../context.ts';

/** `ptp mcp [dir]` */
export function register(program: Command, context: Context): void {
  program
    .command('mcp')
    .argument('[dir]', 'folder in which agents may deploy folders', '.')
    .description('serve agents over stdio (MCP)')
    .action(async (dir: string) => (await import('../mcp.ts')).serve(dir, context));
}
