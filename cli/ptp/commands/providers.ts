import type { Command } from 'commander';
import type { ProviderList } from '../../../client/client.ts';
import { printTable } from '../../../terminal/table.ts';
import type { Context } from '../context.ts';

const HEADER = ['PROVIDER', 'STATE', 'FAILURES', 'FIRST TEXT', 'FIRST FILE', 'COST'];

/** `ptp providers` */
export function register(program: Command, context: Context): void {
  program
    .command('providers')
    .description('list the providers, in the order they are tried')
    .action(() => providers(context));
}

async function providers(context: Context): Promise<void> {
  const client = await context.client();
  const list = await client.providers({ signal: context.signal });
  context.result(list, (stdout) => printTable({ header: HEADER, rows: list.items.map(row) }, stdout));
}

function row(provider: ProviderList['items'][number]): string[] {
  const { model, coolingUntil, failures, firstTokenMs, firstFileMs, cost } = provider;
  return [
    model,
    coolingUntil === undefined
      ? 'ready'
      : `cooling until ${new Date(coolingUntil).toISOString().slice(11, 19)}Z`,
    failures === undefined ? '-' : `${Math.round(failures * 100)}%`,
    seconds(firstTokenMs),
    seconds(firstFileMs),
    cost === undefined ? '-' : `$${cost.toFixed(4)}`,
  ];
}

const seconds = (ms: number | undefined) => (ms === undefined ? '-' : `${(ms / 1000).toFixed(1)} s`);
