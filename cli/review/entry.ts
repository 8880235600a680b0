import { openReports, type ReportedPage } from '../../lambda/reports/reported-page.ts';
import { type Deployment, liveVersion, type Version } from '../../lambda/stored/deployment.ts';
import { type GateBounds, isHeld } from '../../lambda/stored/held.ts';

/** What is known of a deployment that an operator may have to look at. */
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

/** What entries need of their stage. */
export interface Reviewed {
  /** Returns the URL of a deployment. */
  readonly url: (id: string) => string;
  /** Undefined if the stage has no gate. */
  readonly bounds: GateBounds | undefined;
}

/** Returns the entry of a deployment, decided or not. */
export function reviewEntry(
  { id, deployment, reported, heldSince }: Found,
  { url, bounds }: Reviewed,
): ReviewEntry {
  const live = deployment && liveVersion(deployment);
  const gate = live?.gate;
  const state = stateOf(deployment, live, bounds);
  const open = reported?.open ? reported : undefined;
  const waitingSince = [open?.createdAt, state === 'held' ? heldSince : undefined].filter(
    (at) => at !== undefined,
  );
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
