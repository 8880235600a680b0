import {
  COUNTED_PER_DAY,
  dismissed,
  isCounted,
  type NewReport,
  openReports,
  type ReportedPage,
  withReport,
} from '../../../lambda/reports/reported-page.ts';

const ID = 'abcdefghijkl';
const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 24, 12);

let last = 0;
const report = (changes: Partial<NewReport> = {}): NewReport => ({
  id: `r${String(last++).padStart(5, '0')}`,
  at: NOON,
  reason: 'other',
  ofSender: 1,
  ...changes,
});
const reported = (reports: readonly NewReport[], before?: ReportedPage) =>
  reports.reduce<ReportedPage | undefined>((page, one) => withReport(ID, page, one), before) as ReportedPage;

it('counts reports by reason from the first one, which is the place of the page in the list', () => {
  const page = reported([
    report({ reason: 'spam' }),
    report({ reason: 'phishing', at: NOON + DAY_MS }),
    report({ reason: 'spam', at: NOON + 2 * DAY_MS }),
  ]);
  expect(page).toMatchObject({
    deploymentId: ID,
    open: true,
    createdAt: NOON,
    lastAt: NOON + 2 * DAY_MS,
    reasons: { spam: 2, phishing: 1 },
  });
  expect(openReports(page)).toBe(3);
});

it('weighs phishing and malware three times, and the n-th page that a sender reports in a day an n-th', () => {
  const weight = (changes: Partial<NewReport>) => reported([report(changes)]).weight;
  expect([weight({}), weight({ reason: 'phishing' }), weight({ reason: 'malware' })]).toEqual([1, 3, 3]);
  expect(weight({ reason: 'phishing', ofSender: 6 })).toBe(0.5);
  // A script that reports 20 pages a day adds less to all of them together than four people to one.
  const flood = Array.from({ length: 20 }, (_, i) => weight({ ofSender: i + 1 }));
  expect(flood.reduce((sum, one) => sum + one)).toBeLessThan(4);
});

it('counts a report once on its day, and at most 50 of a page', () => {
  const first = report();
  const page = reported([first]);
  expect(isCounted(undefined, first.id, NOON)).toBe(false);
  expect(isCounted(page, first.id, NOON)).toBe(true);
  expect(isCounted(page, 'another', NOON)).toBe(false);
  expect(isCounted(page, first.id, NOON + DAY_MS)).toBe(false);
  const full = reported(
    Array.from({ length: COUNTED_PER_DAY - 1 }, () => report()),
    page,
  );
  expect(isCounted(full, 'another', NOON)).toBe(true);
  expect(isCounted(full, 'another', NOON + DAY_MS)).toBe(false);
});

describe('the texts of reports', () => {
  const described = (changes: Partial<NewReport> = {}) => report({ details: 'x'.repeat(1_000), ...changes });

  it('are kept with the sender’s address, and only if there are any', () => {
    const page = reported([report(), report({ contact: 'me@example.com' }), described({ details: 'It asks' })]);
    expect(page.details).toMatchObject([{ contact: 'me@example.com' }, { details: 'It asks' }]);
    expect(page.details[0]).not.toHaveProperty('details');
  });

  it('are at most 4 of a day, chosen by their ids, which no sender can choose', () => {
    const ids = ['m', 'c', 'x', 'a', 'k', 'b'];
    const page = reported(ids.map((id) => described({ id })));
    expect(page.details.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c', 'k']);
  });

  it('are at most 12 in all, in less than 60 KB', () => {
    const days = Array.from({ length: 30 }, (_, day) => NOON + day * DAY_MS);
    const page = reported(
      days.flatMap((at) => [1, 2].map(() => described({ at, details: '😀'.repeat(1_000), contact: '😀'.repeat(200) }))),
    );
    expect(page.details).toHaveLength(12);
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(60_000);
  });

  it('are dropped after 90 days', () => {
    const page = reported([described(), report({ at: NOON + 90 * DAY_MS })]);
    expect(page.details).toEqual([]);
  });
});

it('begins anew after a dismissal, without the reports that were dismissed that day', () => {
  const old = report({ details: 'Nothing' });
  const page = dismissed(reported([old, report()]));
  expect(page).toMatchObject({ open: false, weight: 0, dismissals: 1, details: [] });
  expect(openReports(page)).toBe(0);
  expect(isCounted(page, old.id, NOON)).toBe(true);
  const again = reported([report({ at: NOON + 5, reason: 'spam' })], page);
  expect(again).toMatchObject({
    open: true,
    createdAt: NOON + 5,
    reasons: { spam: 1 },
    weight: 1,
    dismissals: 1,
  });
});
