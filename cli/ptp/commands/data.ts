import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { DataOptions, ShowOptions } from '../data.ts';

const ITEM = ['<item>', 'id of the item'] as const;
const COLLECTION = ['<collection>', 'name of the collection'] as const;
const YES = ['-y, --yes', 'do not ask for confirmation'] as const;

/** `ptp data show`, which is `ptp data` as well, `approve`, `delete`, `clear`, `webhook` and `open` */
export function registerData(program: Command, context: Context): void {
  const data = program
    .command('data')
    .description('show, approve or delete what visitors wrote')
    .option('-d, --deployment <id>', 'id, URL or folder (default: the current folder)');
  const options = () => data.opts<DataOptions>();
  // The command without a name. With it, a collection may have the name of another command: "show approve".
  data
    .command('show', { isDefault: true })
    .description('show the items of a collection, or list the collections; "show" can be left out')
    .argument('[collection]', 'by default, lists the collections')
    .option('-n, --limit <count>', 'how many items', '50')
    .option('--csv', 'print all items as CSV')
    .action(async (collection: string | undefined, shown: ShowOptions) => {
      const { listCollections, showCollection } = await actions();
      await (collection === undefined
        ? listCollections(options(), context)
        : showCollection(collection, { ...options(), ...shown }, context));
    });
  data
    .command('approve')
    .description('show an item to visitors that waits for approval')
    .argument(...COLLECTION)
    .argument(...ITEM)
    .action(async (collection: string, item: string) =>
      (await actions()).approveItem(collection, item, options(), context),
    );
  data
    .command('delete')
    .description('delete an item')
    .argument(...COLLECTION)
    .argument(...ITEM)
    .option(...YES)
    .action(async (collection: string, item: string, { yes = false }: { readonly yes?: boolean }) =>
      (await actions()).deleteItem(collection, item, { ...options(), yes }, context),
    );
  data
    .command('clear')
    .description('delete all items of a collection')
    .argument(...COLLECTION)
    .option(...YES)
    .action(async (collection: string, { yes = false }: { readonly yes?: boolean }) =>
      (await actions()).clearCollection(collection, { ...options(), yes }, context),
    );
  data
    .command('webhook')
    .description('change the URL that is notified of new items, or show it')
    .argument('[url]', 'https at a public address, or none')
    .action(async (url: string | undefined) => (await actions()).changeWebhook(url, options(), context));
  data
    .command('open')
    .description('open the site as its owner: the link is for your browser only')
    .action(async () => (await actions()).openAsOwner(options(), context));
}

const actions = () => import('../data.ts');
