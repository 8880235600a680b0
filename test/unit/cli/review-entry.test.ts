import {
  type Found,
  type ReviewEntry,
  reviewEntry,
  reviewLines,
  reviewTable,
  waiting,
} from '../../../cli/review-entries.ts';
import type { ReportedPage } from '../../../lambda/reports/reported-page.ts';
import type { Deployment, Version } from '../../../lambda/stored/deployment.ts';
import { aDeployment, aVersion } from '../../support/a-deployment.ts';
import { testRows } from '../../support/rows.ts';

const HOUR_MS = 3_600_000;
const NOW = 1_800_000_000_000;
const BOUNDS = { anonymousPoints: 50, keyPoints: 100 };
const gate = {
  points: 60,
  reasons: [{ kind: 'fields' as const, reason: 'It asks for a PIN', path: 'index.html', points: 60 }],
};
const deployment = (more: Partial<Deployment> = {}, live: Partial<Version> = {}): Deployment =>
  aDeployment({ createdAt: NOW - 100 * HOUR_MS, versions: [aVersion('v1', { title: 'Bank', ...live })], ...more });
const reported = (more: Partial<ReportedPage> = {}): ReportedPage => ({
  deploymentId: 'abcdefghijkl',
  createdAt: NOW - 5 * HOUR_MS,
  lastAt: NOW,
  open: true,
  reasons: { spam: 1 },
  weight: 1,
  dismissals: 0,
  day: '',
  today: [],
  details: [],
  ...more,
});
const entry = (id: string, found: Partial<Found>): ReviewEntry =>
  reviewEntry(
    { id, deployment: deployment(), reported: undefined, heldSince: undefined, ...found },
    { url: (one) => `https://ptp.example.com/d/${one}`, bounds: BOUNDS },
  );
const held = { deployment: deployment({}, { gate }), heldSince: NOW - HOUR_MS };

testRows<[string, Partial<Found>]>([
  ['public', {}],
  ['private', { deployment: deployment({ access: { type: 'link', key: 'k' } }) }],
  ['held', held],
  ['public', { ...held, deployment: deployment({ released: { points: 60, at: 1 } }, { gate }) }],
  ['held', { ...held, deployment: deployment({ released: { points: 59, at: 1 } }, { gate }) }],
  // Its owner has claimed it.
  ['public', { ...held, deployment: deployment({ owner: 'key:abc' }, { gate }) }],
  ['taken down', { ...held, deployment: deployment({ takenDown: { at: 1 } }, { gate }) }],
  ['deleted', { ...held, deployment: deployment({ deletedAt: 1 }) }],
  ['deleted', { deployment: undefined, reported: reported() }],
])('shows the state of a page', (state, found) => {
  expect(entry('a', found).state).toBe(state);
});

it('lists what waits for a decision, the most urgent first', () => {
  const entries = [
    entry('not reported', {}),
    entry('dismissed', { reported: reported({ open: false, reasons: {}, weight: 0 }) }),
    entry('taken down', { deployment: deployment({ takenDown: { at: 1 } }), reported: reported() }),
    entry('deleted', { deployment: deployment({ deletedAt: 1 }), reported: reported() }),
    entry('spam', { reported: reported() }),
    entry('older spam', { reported: reported({ createdAt: NOW - 9 * HOUR_MS }) }),
    entry('dismissed before', { reported: reported({ weight: 3, dismissals: 2 }) }),
    entry('phishing', { reported: reported({ reasons: { phishing: 1 }, weight: 3 }) }),
    entry('held and reported', { ...held, reported: reported({ weight: 3 }) }),
    entry('held', held),
  ];
  expect(waiting(entries).map(({ id }) => id)).toEqual([
    'phishing',
    'held and reported',
    'older spam',
    'spam',
    'dismissed before',
    'held',
  ]);
});

it('prints each on a line, without what could change a terminal', () => {
  const title = 'Bank\u001b[2J\nof all';
  const shown = entry('abcdefghijkl', {
    ...held,
    deployment: deployment({ owner: 'key:4bYq0sWn7dXe' }, { gate: { ...gate, points: 160 }, title }),
    reported: reported({ reasons: { spam: 1, phishing: 2 } }),
  });
  const { rows } = reviewTable([shown], NOW);
  expect(rows).toEqual([['abcdefghijkl', 'held', '5h', 'key', 3, 'phishing 2, spam 1; It asks for a PIN', title]]);
  const details = { id: 'r', at: NOW, reason: 'phishing', details: 'a\u0007\nb', contact: 'me' } as const;
  expect(reviewLines(shown, [details], 'none')).toEqual([
    'abcdefghijkl  https://ptp.example.com/d/abcdefghijkl',
    '  title       Bank [2J of all',
    '  state       held, since 2027-01-15T03:00:00Z',
    '  owner       key:4bYq0sWn7dXe',
    '  gate        160 points',
    '    60 in index.html: It asks for a PIN',
    '  reports     3: phishing 2, spam 1',
    '    2027-01-15T08:00:00Z phishing: a b (me)',
    '  screenshot  none',
  ]);
});
