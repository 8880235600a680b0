import type { Command } from 'commander';
import { printTable } from '../../../terminal/table.ts';
import { usageTable } from '../../keys/usage-table.ts';
import type { Context } from '../context.ts';

interface Options {
  readonly from?: string;
  readonly to?: string;
}

/** `ptp usage` */
export function register(program: Command, context: Context): void {
  program
    .command('usage')
    .description('count the calls of your key')
    .option('--from <day>', 'such as 2026-11-01, in UTC (default: 29 days before --to)')
    .option('--to <day>', 'inclusive (default: today)')
    .action((options: Options) => usage(options, context));
}

async function usage(options: Options, context: Context): Promise<void> {
  const client = await context.client({ needsKey: true });
  const report = await client.usage({ ...options, signal: context.signal });
  const entries = report.days.flatMap(({ day, operations }) =>
    Object.entries(operations).map(([operation, counts]) => ({ day, operation, ...counts })),
  );
  if (entries.length === 0) context.say(`No calls from ${report.from} to ${report.to} (UTC)`);
  context.result(report, (stdout) => {
    if (entries.length > 0) printTable(usageTable(entries, report.totals), stdout);
  });
}
