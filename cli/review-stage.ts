import { DeploymentStore } from '../lambda/deployments/deployment-store.ts';
import { HeldList } from '../lambda/deployments/held-list.ts';
import { deploymentUrl } from '../lambda/deployments/resource.ts';
import { ReportStore } from '../lambda/reports/report-store.ts';
import type { ReportedPage } from '../lambda/reports/reported-page.ts';
import { type Found, type ReviewEntry, reviewEntry } from './review-entry.ts';
import type { Stage } from './stage.ts';

/** The most pages of each list that are looked at: the oldest beyond them come up once these are decided. */
const MOST = 1_000;
const CONCURRENT = 16;

/** A stage as reviews see it. */
export interface ReviewStage extends Stage {
  readonly deployments: DeploymentStore;
  readonly reports: ReportStore;
  readonly held: HeldList;
  readonly url: (id: string) => string;
}

export function reviewStage(stage: Stage): ReviewStage {
  const table = stage.output('DeploymentsTable');
  const baseUrl = stage.output('BaseUrl');
  return {
    ...stage,
    [Symbol.dispose]: () => stage[Symbol.dispose](),
    deployments: new DeploymentStore(stage.db, table),
    reports: new ReportStore(stage.db, table),
    held: new HeldList(stage.db, table),
    url: (id) => deploymentUrl(id, baseUrl),
  };
}

/** Returns the entries of all pages in the lists, decided or not. */
export async function listedEntries({
  deployments,
  reports,
  held,
  url,
}: ReviewStage): Promise<ReviewEntry[]> {
  const [reported, waiting] = await Promise.all([
    all((after) => reports.list({ limit: 100, after })),
    all((after) => held.page({ limit: 100, after })),
  ]);
  const byId = new Map<string, { reported?: ReportedPage; heldSince?: number }>();
  for (const page of reported) byId.set(page.deploymentId, { reported: page });
  for (const { id, createdAt } of waiting) byId.set(id, { ...byId.get(id), heldSince: createdAt });
  const listed = [...byId];
  const found: Found[] = [];
  for (let from = 0; from < listed.length; from += CONCURRENT) {
    const some = listed.slice(from, from + CONCURRENT).map(async ([id, { reported, heldSince }]) => ({
      id,
      deployment: await deployments.find(id),
      reported,
      heldSince,
    }));
    found.push(...(await Promise.all(some)));
  }
  return found.map((one) => reviewEntry(one, url));
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
