import { HeldList } from '../lambda/deployments/gate.ts';
import { deploymentUrl } from '../lambda/deployments/resource.ts';
import { ReportStore } from '../lambda/reports/report-store.ts';
import { openReports, type ReportDetails, type ReportedPage } from '../lambda/reports/reported-page.ts';
import { type Deployment, liveVersion, type Version } from '../lambda/stored/deployment.ts';
import { type GateBounds, gateBounds, isHeld } from '../lambda/stored/held.ts';
import { PointerStore } from '../lambda/stored/pointer-store.ts';
import { printable, type Table, timestamp } from '../terminal/text.ts';
import type { Stage } from './stage.ts';

/** A deployment that an operator may have to look at, before its entry is made. */
export interface Found {
  readonly id: string;
  readonly deployment: Deployment | undefined;
  readonly reported: ReportedPage | undefined;
  /** Since when it is in the list of those that are held, in Unix milliseconds. */
  readonly heldSince: number | undefined;
}

/** A page that waits for a decision of the operator. */
export interface ReviewEntry {
  readonly id: string;
  readonly url: string;
  readonly state: 'public' | 'private' | 'held' | 'taken down' | 'deleted';
  /** Unix milliseconds of the oldest open report, or since when it is held; of its first deploy if neither is so. */
  readonly since: number;
  /** `anonymous`, `key` or `token`, with the id of the owner. */
  readonly owner: string;
  readonly title: string | null;
  readonly reports: number;
  readonly reasons: ReportedPage['reasons'];
  readonly points: number;
  /** Why the gate holds it, the worst first. */
  readonly gate: NonNullable<Version['gate']>['reasons'];
  /** Higher is more urgent. */
  readonly urgency: number;
}

/** The properties of a stage that entries depend on. */
interface Reviewed {
  /** Returns the URL of a deployment. */
  readonly url: (id: string) => string;
  /** Undefined if the stage has no gate. */
  readonly bounds: GateBounds | undefined;
}

/** Returns the entry of a deployment, decided or not. */
export function reviewEntry({ id, deployment, reported, heldSince }: Found, { url, bounds }: Reviewed): ReviewEntry {
  const live = deployment && liveVersion(deployment);
  const gate = live?.gate;
  const state = stateOf(deployment, live, bounds);
  const open = reported?.open ? reported : undefined;
  const waitingSince = [open?.createdAt, state === 'held' ? heldSince : undefined].filter((at) => at !== undefined);
  return {
    id,
    url: url(id),
    state,
    since: waitingSince.length > 0 ? Math.min(...waitingSince) : (deployment?.createdAt ?? 0),
    owner: deployment?.owner ?? '-',
    title: live?.title ?? null,
    reports: open ? openReports(open) : 0,
    reasons: open?.reasons ?? {},
    points: gate?.points ?? 0,
    gate: gate?.reasons ?? [],
    urgency: urgencyOf(state, open),
  };
}

function stateOf(
  deployment: Deployment | undefined,
  live: Version | undefined,
  bounds: GateBounds | undefined,
): ReviewEntry['state'] {
  if (!deployment || !live) return 'deleted';
  if (deployment.takenDown) return 'taken down';
  if (isHeld(deployment, live, bounds)) return 'held';
  return deployment.access ? 'private' : 'public';
}

/** Reports of a page that visitors see count twice; someone waits for the decision on one that is held. */
function urgencyOf(state: ReviewEntry['state'], open: ReportedPage | undefined): number {
  const weight = open ? open.weight / (1 + open.dismissals) : 0;
  return weight * (state === 'public' ? 2 : 1) + (state === 'held' ? 1 : 0);
}

/** Returns the entries that wait for a decision, the most urgent first, and of equally urgent ones the oldest. */
export function waiting(entries: readonly ReviewEntry[]): ReviewEntry[] {
  const isOpen = ({ state, reports }: ReviewEntry) =>
    state === 'held' || (reports > 0 && (state === 'public' || state === 'private'));
  return entries.filter(isOpen).toSorted((a, b) => b.urgency - a.urgency || a.since - b.since);
}

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

const HOUR_MS = 3_600_000;

/** Returns the list as a table. @param now in Unix milliseconds */
export function reviewTable(entries: readonly ReviewEntry[], now: number): Table {
  return {
    header: ['ID', 'STATE', 'AGE', 'OWNER', 'REPORTS', 'WHY', 'TITLE'],
    rows: entries.map((entry) => [
      entry.id,
      entry.state,
      age(now - entry.since),
      entry.owner.split(':')[0] ?? '',
      entry.reports,
      why(entry),
      entry.title ?? '',
    ]),
  };
}

/** Returns what is known of a page, line by line. */
export function reviewLines(entry: ReviewEntry, details: readonly ReportDetails[], screenshot: string): string[] {
  const { id, url, state, owner, title, since, reports, reasons, points, gate } = entry;
  return [
    `${id}  ${url}`,
    `  title       ${printable(title ?? '')}`,
    `  state       ${state}, since ${timestamp(since)}`,
    `  owner       ${owner}`,
    `  gate        ${points} points`,
    ...gate.map((one) => `    ${one.points} in ${printable(one.path)}: ${printable(one.reason)}`),
    `  reports     ${reports}${reports === 0 ? '' : `: ${reasonsText(reasons)}`}`,
    ...details.map(detailText),
    `  screenshot  ${screenshot}`,
  ];
}

function why({ reasons, gate, state }: ReviewEntry): string {
  const [worst] = state === 'held' ? gate : [];
  return [reasonsText(reasons), ...(worst ? [worst.reason] : [])].filter((text) => text !== '').join('; ');
}

/** Returns for example `phishing 3, spam 1`, the most frequent reason first. */
function reasonsText(reasons: ReviewEntry['reasons']): string {
  const sorted = Object.entries(reasons).toSorted(([, a], [, b]) => b - a);
  return sorted.map(([reason, count]) => `${reason} ${count}`).join(', ');
}

function detailText({ at, reason, details, contact }: ReportDetails): string {
  const text = details === undefined ? '' : `: ${printable(details)}`;
  const sender = contact === undefined ? '' : ` (${printable(contact)})`;
  return `    ${timestamp(at)} ${reason}${text}${sender}`;
}

/** Returns for example `5h` or `3d`. */
function age(ms: number): string {
  const hours = Math.max(0, Math.floor(ms / HOUR_MS));
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}
