import { brandOfHost } from './brands.ts';
import type { Claim } from './claims.ts';
import { type FieldKind, isSecret } from './field-kinds.ts';
import type { Findings, Hiding } from './findings.ts';
import { imitatedBrand } from './hosts.ts';
import type { PageReason } from './reason.ts';

const HIDING_POINTS: Readonly<Record<Hiding, readonly [points: number, what: string]>> = {
  'encoded page': [30, 'a page that is encoded in the code'],
  'opaque page': [60, 'a page that only its script can read'],
  'sealed page': [60, 'a page that is encrypted, and asks for no password to read it'],
  'opaque script': [30, 'a script that only another script can read'],
  names: [20, 'code with names that nobody can read'],
  escapes: [15, 'text whose letters are escaped'],
};

/** Code that nobody is to read. */
export function hidingReasons({ hidings }: Findings, kinds: readonly FieldKind[]): PageReason[] {
  const counting = [...hidings].filter((hiding) => hiding !== 'sealed page' || !kinds.includes('password'));
  const reasons = counting.map((hiding): PageReason => {
    const [points, what] = HIDING_POINTS[hiding];
    return { kind: 'code', reason: `It has ${what}`, points };
  });
  if (kinds.some(isSecret) && reasons.some(({ points }) => points >= 20))
    reasons.push({ kind: 'code', reason: 'It hides code and asks for secrets', points: 15 });
  return reasons;
}

/** A page that leads to another host at once, or shows nothing but a page of it. */
export function leavingReasons(
  { redirects, frames, visible }: Findings,
  claim: Claim | undefined,
): PageReason[] {
  const reasons: PageReason[] = [];
  const add = (reason: string, points: number) => reasons.push({ kind: 'redirect', reason, points });
  const isFrame = redirects.length === 0 && visible < 200;
  const [target] = (isFrame ? frames : redirects).filter(({ host }) => brandOfHost(host) === undefined);
  if (target === undefined) return [];
  const host = JSON.stringify(target.host.slice(0, 80));
  if (isFrame) add(`It shows nothing but a page of ${host}`, 15);
  else add(`It leads to ${host} at once`, 20);
  if (target.isHidden) add('It hides where it leads', 25);
  const imitated = imitatedBrand(target.host);
  if (imitated) add(`The host that it leads to imitates ${imitated.name}`, 40);
  if (claim) add(`It claims to be ${claim.brand.name}, and leads elsewhere`, claim.isStrong ? 25 : 20);
  return reasons;
}

/** A file that is saved without a visitor's doing. */
export function downloadReasons(
  { downloads, clicks, links }: Findings,
  claim: Claim | undefined,
): PageReason[] {
  const reasons: PageReason[] = [];
  const add = (reason: string, points: number) => reasons.push({ kind: 'download', reason, points });
  const clicked = [...links].flatMap(([id, kind]) => (clicks.has(id) ? [kind] : []));
  if (downloads.has('smuggled')) add('A script makes a program or an archive, and saves it at once', 60);
  else if (downloads.has('program') || clicked.includes('program')) {
    add('It downloads a program or an archive at once', 40);
    if (claim?.isStrong) add(`It claims to be ${claim.brand.name}, and downloads a program`, 25);
  } else if (downloads.has('instant') || clicked.includes('download')) add('It downloads a file at once', 10);
  return reasons;
}
