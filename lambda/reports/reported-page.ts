import type { ReportReason } from '../contract/reports.ts';
import { dayOf } from '../platform/clock.ts';

/** A report with a text or a sender. */
export interface ReportDetails {
  readonly id: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly reason: ReportReason;
  readonly details?: string;
  readonly contact?: string;
}

/** What was reported about a deployment. */
export interface ReportedPage {
  readonly deploymentId: string;
  /** Unix milliseconds of the first report since the last dismissal, which is the place in the list. */
  readonly createdAt: number;
  /** Unix milliseconds of the last report. */
  readonly lastAt: number;
  /** Whether reports are open: there has been one since the last dismissal. */
  readonly open: boolean;
  /** Counted reports since the last dismissal, by reason. */
  readonly reasons: { readonly [Reason in ReportReason]?: number };
  /** How much these reports weigh: see `weightOf`. */
  readonly weight: number;
  /** How often an operator has dismissed reports of the page. */
  readonly dismissals: number;
  /** The UTC day of the last report, and the ids of those that were counted on it. */
  readonly day: string;
  readonly today: readonly string[];
  readonly details: readonly ReportDetails[];
}

/** A report that is about to be counted. */
export interface NewReport extends ReportDetails {
  /** How many pages its sender has reported that day, with this one. */
  readonly ofSender: number;
}

/** For how long reports are kept after the last one. */
export const KEPT_MS = 90 * 86_400_000;

/** Reports of a page that count in a day. Beyond them the page is at the top of the list anyway, and nothing is written. */
export const COUNTED_PER_DAY = 50;

/** How many reports with a text are kept of a day, and of all days: an item stays below 60 KB. */
const DETAILS_PER_DAY = 4;
const DETAILS = 12;

/** Pages that steal or infect are looked at first. */
const SEVERITY: Readonly<Record<ReportReason, number>> = {
  phishing: 3,
  malware: 3,
  spam: 1,
  copyright: 1,
  other: 1,
};

/** Returns how much a report weighs. The second page that a sender reports in a day weighs half, the third a third. */
function weightOf({ reason, ofSender }: NewReport): number {
  return SEVERITY[reason] / Math.max(1, ofSender);
}

/** Reports if a report changes nothing: it was counted before, or enough were counted on its day. */
export function isCounted(page: ReportedPage | undefined, id: string, now: number): boolean {
  if (page?.day !== dayOf(now)) return false;
  return page.today.includes(id) || page.today.length >= COUNTED_PER_DAY;
}

/** Returns what is known of a page after another report. */
export function withReport(deploymentId: string, before: ReportedPage | undefined, report: NewReport): ReportedPage {
  const { id, at, reason } = report;
  const day = dayOf(at);
  const since = before?.open ? before : undefined;
  return {
    deploymentId,
    createdAt: since?.createdAt ?? at,
    lastAt: at,
    open: true,
    reasons: { ...since?.reasons, [reason]: (since?.reasons[reason] ?? 0) + 1 },
    weight: (since?.weight ?? 0) + weightOf(report),
    dismissals: before?.dismissals ?? 0,
    day,
    today: [...(before?.day === day ? before.today : []), id],
    details: withDetails(before?.details ?? [], report),
  };
}

/** Returns a page whose reports are dismissed. Those that were counted today stay counted, so that they do not come back. */
export function dismissed(page: ReportedPage): ReportedPage {
  return { ...page, open: false, reasons: {}, weight: 0, dismissals: page.dismissals + 1, details: [] };
}

/** Returns how many reports of a page are open. */
export function openReports({ reasons }: ReportedPage): number {
  return Object.values(reasons).reduce((sum, count) => sum + count, 0);
}

/**
 * Adds a report with a text. If there are too many, those with the lowest ids stay: an id is a keyed digest, so that a sender
 * cannot choose to stay, and a flood leaves the texts of others their chance.
 */
function withDetails(
  before: readonly ReportDetails[],
  { id, at, reason, details, contact }: NewReport,
): ReportDetails[] {
  const recent = before.filter((one) => one.at > at - KEPT_MS);
  if (details === undefined && contact === undefined) return recent;
  const added: ReportDetails = {
    id,
    at,
    reason,
    ...(details === undefined ? {} : { details }),
    ...(contact === undefined ? {} : { contact }),
  };
  const isToday = (one: ReportDetails) => dayOf(one.at) === dayOf(at);
  const today = lowest([...recent.filter(isToday), added], DETAILS_PER_DAY);
  const kept = lowest([...recent.filter((one) => !isToday(one)), ...today], DETAILS);
  return kept.toSorted((a, b) => a.at - b.at);
}

const lowest = (all: readonly ReportDetails[], count: number) =>
  all.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, count);
