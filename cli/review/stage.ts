import { HeldList } from '../../lambda/deployments/held-list.ts';
import { deploymentUrl } from '../../lambda/deployments/resource.ts';
import { ReportStore } from '../../lambda/reports/report-store.ts';
import { gateBounds } from '../../lambda/stored/held.ts';
import { PointerStore } from '../../lambda/stored/pointer-store.ts';
import type { Stage } from '../stage.ts';
import { type Found, type ReviewEntry, type Reviewed, reviewEntry } from './entry.ts';

/** The most pages of each list that are looked at: the oldest beyond them come up once these are decided. */
const MOST = 1_000;
const CONCURRENT = 16;

/** A stage as reviews see it. */
export interface ReviewStage extends Stage, Reviewed {
  readonly deployments: PointerStore;
  readonly reports: ReportStore;
  readonly held: HeldList;
}

export function reviewStage(stage: Stage): ReviewStage {
  const table = stage.output('DeploymentsTable');
  const baseUrl = stage.output('BaseUrl');
  const gate = stage.optionalOutput('Gate');
  return {
    ...stage,
    [Symbol.dispose]: () => stage[Symbol.dispose](),
    deployments: new PointerStore(stage.db, table),
    reports: new ReportStore(stage.db, table),
    held: new HeldList(stage.db, table),
    url: (id) => deploymentUrl(id, baseUrl),
    bounds: gate === undefined ? undefined : gateBounds.parse(JSON.parse(gate)),
  };
}

/** Returns the entries of all pages in the lists, decided or not. */
export async function listedEntries(stage: ReviewStage): Promise<ReviewEntry[]> {
  const { deployments, reports, held } = stage;
  const [reported, waiting] = await Promise.all([
    all((after) => reports.list({ limit: 100, after })),
    all((after) => held.page({ limit: 100, after })),
  ]);
  const byId = new Map<string, Pick<Found, 'reported' | 'heldSince'>>();
  const add = (id: string, more: Partial<Found>) =>
    byId.set(id, { reported: undefined, heldSince: undefined, ...byId.get(id), ...more });
  for (const page of reported) add(page.deploymentId, { reported: page });
  for (const { id, createdAt } of waiting) add(id, { heldSince: createdAt });
  const listed = [...byId];
  const entries: ReviewEntry[] = [];
  for (let from = 0; from < listed.length; from += CONCURRENT) {
    const some = listed.slice(from, from + CONCURRENT).map(async ([id, lists]) => {
      const entry = reviewEntry({ id, deployment: await deployments.find(id), ...lists }, stage);
      await forget(entry, lists.heldSince, stage);
      return entry;
    });
    entries.push(...(await Promise.all(some)));
  }
  return entries;
}

/** Removes a page from the list of those that are held if it no longer is: it was claimed, deleted, or has other files. */
async function forget(
  { id, state }: ReviewEntry,
  heldSince: number | undefined,
  { held, bounds }: ReviewStage,
): Promise<void> {
  // Without a gate, nothing is held now, but may be again.
  if (heldSince === undefined || bounds === undefined) return;
  if (state !== 'held' && state !== 'taken down') await held.remove(id, heldSince);
}

type Position = Parameters<ReportStore['list']>[0]['after'];

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: Position;
}

async function all<Item>(page: (after: Position) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let after: Position;
  do {
    const read = await page(after);
    items.push(...read.items);
    after = read.next;
  } while (after !== undefined && items.length < MOST);
  return items;
}
