import type { Command } from 'commander';
import type { Context } from '../context.ts';

const ID = ['[id]', 'id, URL or folder; by default the current folder'] as const;

/** `ptp domains list`, `add` and `remove` */
export function register(program: Command, context: Context): void {
  const domains = program.command('domains').description('serve a deployment on domains of yours');
  domains
    .command('list')
    .description('list the domains of a deployment')
    .argument(...ID)
    .action(async (id?: string) => (await actions()).listDomains(id, context));
  domains
    .command('add')
    .description('add a domain, or look for its DNS records again, and print the records')
    .argument('<domain>', 'such as www.example.com')
    .argument(...ID)
    .option('--wait', 'until the domain serves the pages; then print its URL')
    .action(async (domain: string, id: string | undefined, options: { readonly wait?: boolean }) =>
      (await actions()).addDomain(domain, id, options, context),
    );
  domains
    .command('remove')
    .description('remove a domain')
    .argument('<domain>')
    .argument(...ID)
    .option('-y, --yes', 'do not ask for confirmation')
    .action(async (domain: string, id: string | undefined, { yes = false }: { readonly yes?: boolean }) =>
      (await actions()).removeDomain(domain, id, yes, context),
    );
}

const actions = () => import('../domains.ts');
