import type { ReportDetails } from '../../lambda/reports/reported-page.ts';
import { printable, type Table } from '../../terminal/table.ts';
import { timestamp } from '../../terminal/time.ts';
import type { ReviewEntry } from './entry.ts';

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
export function reviewLines(
  entry: ReviewEntry,
  details: readonly ReportDetails[],
  screenshot: string,
): string[] {
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
