import type { GateKind } from '../../contract/gate.ts';
import { type Brand, brandOfHost } from './brands.ts';
import type { Claim } from './claims.ts';
import type { Findings, Hiding, Target } from './findings.ts';
import { type FieldKind, isSecret } from './findings.ts';
import { imitatedBrand, type Receiver, receiverOf } from './hosts.ts';

const FIELD_POINTS: Readonly<Record<FieldKind, readonly [points: number, name: string]>> = {
  password: [10, 'a password'],
  card: [15, 'a payment card'],
  phrase: [40, 'the phrase or key of a wallet'],
  code: [10, 'a code that a service sent'],
  pin: [10, 'a PIN or TAN'],
  identity: [5, 'a number of identity'],
};

/** Points for what gets what is no secret, such as an address for a letter. */
const POINTS_WITHOUT_SECRETS: Readonly<Record<Receiver, number>> = {
  processor: 0,
  brand: 0,
  foreign: 5,
  service: 5,
  throwaway: 15,
  chat: 15,
  imitation: 40,
};

/** Points for what gets secrets. */
const RECEIVER_POINTS: Readonly<Record<Receiver, readonly [points: number, what: string]>> = {
  processor: [0, ''],
  brand: [0, ''],
  foreign: [25, 'another host'],
  service: [50, 'a service that keeps forms for anyone'],
  throwaway: [50, 'an address that belongs to nobody known'],
  chat: [70, 'a chat'],
  imitation: [60, 'a host that imitates a brand'],
};

/** Returns why a page gets points. Single signs get few; what makes a page dangerous is how they go together. */
export function scorePage(findings: Findings): PageReason[] {
  const kinds = asked(findings);
  const secrets = kinds.some(isSecret);
  const claim = claimOf(findings);
  const receivers = receiversOf(findings, secrets);
  const worst = receivers[0];
  const isOwn = claim !== undefined && sendsOnlyTo(claim.brand, receivers, findings);
  const reasons = [
    ...fieldReasons(kinds),
    ...(worst ? receiverReasons(worst, secrets) : []),
    ...(secrets && findings.collects ? [COLLECTING] : []),
    ...(claim && !isOwn ? claimReasons(claim, secrets, worst?.receiver ?? collector(findings)) : []),
    ...hidingReasons(findings, kinds),
    ...leavingReasons(findings, claim),
    ...downloadReasons(findings, claim),
  ];
  const add = (kind: GateKind, reason: string, points: number) => reasons.push({ kind, reason, points });
  if (secrets && findings.isUrgent) add('pressure', 'It urges visitors to act, and asks for secrets', 10);
  if (kinds.includes('password') && findings.readsAddress)
    add('pressure', 'It takes the e-mail address of a visitor from its own address, and asks for the password', 15);
  return reasons;
}

/** The owner of a page without an account gets what its data has, like any other host. */
const COLLECTING: PageReason = {
  kind: 'receiver',
  reason: 'It keeps secrets that visitors type in the data of the site, for its owner',
  points: RECEIVER_POINTS.foreign[0],
};

const collector = ({ collects }: Findings): Receiver | undefined => (collects ? 'foreign' : undefined);

function asked({ fields, numbered, mentionsPhrase }: Findings): FieldKind[] {
  const kinds = new Set(fields.kinds);
  if (numbered >= 11 && mentionsPhrase) kinds.add('phrase');
  return [...kinds];
}

function fieldReasons(kinds: readonly FieldKind[]): PageReason[] {
  return kinds.map((kind) => {
    const [points, name] = FIELD_POINTS[kind];
    return { kind: 'fields', reason: `It asks for ${name}`, points };
  });
}

/** Reports if the secrets of a page go to the brand that it claims to be, by its forms, and to nobody else. */
const sendsOnlyTo = (
  brand: Brand,
  receivers: readonly Received[],
  { forms, keepsSecrets, collects }: Findings,
): boolean =>
  !keepsSecrets &&
  !collects &&
  forms.some(({ hasSecrets }) => hasSecrets) &&
  receivers.every(({ target }) => brandOfHost(target.host) === brand);

interface Received {
  readonly target: Target;
  readonly receiver: Receiver;
}

/** Returns who gets what is typed, the worst first. A form without secrets sends none. */
function receiversOf({ forms, sends }: Findings, secrets: boolean): Received[] {
  const targets: Target[] = [...forms.filter(({ hasSecrets }) => hasSecrets || !secrets), ...sends];
  const points = ({ target, receiver }: Received) => RECEIVER_POINTS[receiver][0] + (target.isHidden ? 25 : 0);
  return targets.map((target) => ({ target, receiver: receiverOf(target) })).toSorted((a, b) => points(b) - points(a));
}

function receiverReasons({ target, receiver }: Received, secrets: boolean): PageReason[] {
  const [points, what] = RECEIVER_POINTS[receiver];
  if (points === 0) return [];
  const host = JSON.stringify(target.host.slice(0, 80));
  const hidden: PageReason[] = target.isHidden
    ? [{ kind: 'code', reason: `Its code hides the address ${host}`, points: 25 }]
    : [];
  if (secrets) return [{ kind: 'receiver', reason: `It sends secrets to ${what}: ${host}`, points }, ...hidden];
  const few = POINTS_WITHOUT_SECRETS[receiver];
  return [{ kind: 'receiver', reason: `It sends what visitors type to ${what}: ${host}`, points: few }, ...hidden];
}

/** Returns the claim that says most. Pictures of several brands claim nothing: they are payments, or other accounts. */
function claimOf({ claims, words }: Findings): Claim | undefined {
  const valid = claims.filter(({ needs }) => needs.length === 0 || needs.some((word) => words.has(word)));
  const strong = valid.filter(({ isStrong }) => isStrong);
  if (strong.length > 0) return strong.find(({ isLookAlike }) => isLookAlike) ?? strong[0];
  return new Set(valid.map(({ brand }) => brand)).size === 1 ? valid[0] : undefined;
}

const PLACES: Readonly<Record<Claim['place'], string>> = {
  title: 'title',
  heading: 'heading',
  subheading: 'heading',
  text: 'text',
  start: 'first text',
  picture: 'picture',
  file: 'picture or file name',
  field: 'field names',
};

function claimReasons(
  { brand, isStrong, isLookAlike, place }: Claim,
  secrets: boolean,
  receiver: Receiver | undefined,
): PageReason[] {
  const reasons: PageReason[] = [
    {
      kind: 'brand',
      reason: `Its ${PLACES[place]} ${place === 'field' ? 'are those of' : 'claims to be'} ${brand.name}`,
      points: isStrong ? 25 : 15,
    },
  ];
  const add = (kind: GateKind, reason: string, points: number) => reasons.push({ kind, reason, points });
  if (isLookAlike) add('letters', `It writes ${brand.name} with letters that only look like it`, 45);
  const goes = receiver !== undefined && receiver !== 'processor' && receiver !== 'brand';
  const weak = goes ? 10 : 0;
  const together = isStrong ? 25 : weak;
  if (secrets && together > 0)
    add('brand', `It asks for secrets in the name of ${brand.name}, which does not get them`, together);
  return reasons;
}

const HIDING_POINTS: Readonly<Record<Hiding, readonly [points: number, what: string]>> = {
  'encoded page': [30, 'a page that is encoded in the code'],
  'opaque page': [60, 'a page that only its script can read'],
  'sealed page': [60, 'a page that is encrypted, and asks for no password to read it'],
  'opaque script': [30, 'a script that only another script can read'],
  names: [20, 'code with names that nobody can read'],
  escapes: [15, 'text whose letters are escaped'],
};

/** Code that nobody is to read. */
function hidingReasons({ hidings }: Findings, kinds: readonly FieldKind[]): PageReason[] {
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
function leavingReasons({ redirects, frames, visible }: Findings, claim: Claim | undefined): PageReason[] {
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
function downloadReasons({ downloads, clicks, links }: Findings, claim: Claim | undefined): PageReason[] {
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

/** Why a page gets points. */
interface PageReason {
  readonly kind: GateKind;
  readonly reason: string;
  readonly points: number;
}
