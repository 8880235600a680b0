import type { Command } from 'commander';
import type { ViewsResponse } from '../../../client/client.ts';
import { printTable } from '../../../terminal/table.ts';
import type { Context } from '../context.ts';
import { asOwner, requireCredential, targetOf } from '../target.ts';
import { dayTable, pathTable, referrerTable, sparkline } from '../view-tables.ts';

interface Options {
  readonly from?: string;
  readonly to?: string;
}

/** `ptp views` */
export function register(program: Command, context: Context): void {
  program
    .command('views')
    .description('count who opened the pages of a deployment')
    .argument('[id]', 'id, URL or folder; by default the current folder')
    .option('--from <day>', 'such as 2026-11-01, in UTC (default: 29 days before --to)')
    .option('--to <day>', 'inclusive (default: today)')
    .action((id: string | undefined, options: Options) => views(id, options, context));
}

async function views(argument: string | undefined, options: Options, context: Context): Promise<void> {
  const target = targetOf(argument, context);
  requireCredential(target, context);
  const client = await context.client({ folder: target.folder });
  const { signal } = context;
  const { id, token } = target;
  const report = await asOwner(target, () => client.deployments.views(id, { ...options, token, signal }));
  if (report.reason !== undefined) context.say(`Not counted: ${report.reason}`);
  context.say(summary(report));
  context.result(report, (stdout) => {
    const { totals, paths, referrers } = report;
    if (totals.views + totals.bots > 0) printTable(dayTable(report), stdout);
    // A pipe gets one table.
    if (!stdout.isTTY) return;
    for (const table of [
      paths.length > 0 && pathTable(report),
      referrers.length > 0 && referrerTable(report),
    ])
      if (table) {
        stdout.write('\n');
        printTable(table, stdout);
      }
  });
}

function summary({ totals: { views, visitors }, days, from, to }: ViewsResponse): string {
  const count = (number: number, noun: string) =>
    `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
  const period = `${from} to ${to} (UTC)`;
  if (views === 0) return `No views, ${period}`;
  return `${count(views, 'view')} by ${count(visitors, 'visitor')}, ${period}  ${sparkline(days.map((day) => day.views))}`;
}
