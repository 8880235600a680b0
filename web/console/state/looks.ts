import type { BuildProblem, Look, LookProblem } from '../../../client/client.ts';
import { LOOK_WIDTHS, type LookWidth } from '../../../lambda/contract/looks.ts';
import { placedLine } from '../../../lambda/contract/messages.ts';
import { siteEnd } from './site.ts';
import { isOver, KEPT_MS } from './turn.ts';
import type { GalleryEntry, PublishedSite, Turn } from './types.ts';

const OPENING = 'A browser opens the page…';

const counted = (noun: string) => (count: number) => `${count}\u00a0${noun}${count === 1 ? '' : 's'}`;

/** The words for a number of problems of a kind. */
const FOUND: Readonly<Record<LookProblem['kind'], (count: number) => string>> = {
  blank: () => 'an empty page',
  error: counted('error'),
  console: counted('logged error'),
  missing: counted('missing file'),
  left: counted('request elsewhere'),
  hung: () => 'no response',
  wide: () => 'sideways scrolling on a phone',
  layout: counted('flaw of the layout'),
  accessibility: counted('accessibility problem'),
};

/** Returns what a browser saw as one sentence, without its full stop: `Opened at 390 and 1280 px: 1 error in src/app.js:12`. */
export function lookSentence({ state, reason = '', problems = [], screenshots = {} }: Look): string {
  if (state === 'looking') return OPENING;
  if (state === 'skipped') return `Not opened in a browser. ${reason}`.trim();
  if (state === 'failed') return `The browser could not open the page. ${reason}`.trim();
  const widths = Object.keys(screenshots).join(' and ');
  return `Opened${widths === '' ? '' : ` at ${widths}\u00a0px`}: ${countsOf(problems)}`;
}

/** Returns the problems as counts, in the order of their first ones; a single one with its place. */
function countsOf(problems: readonly LookProblem[]): string {
  if (problems.length === 0) return 'no problems';
  const counts = new Map<LookProblem['kind'], number>();
  for (const { kind } of problems) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const parts = [...counts].map(([kind, count]) => FOUND[kind](count));
  const [{ path, line } = {}] = problems;
  const place = problems.length === 1 && path !== undefined ? ` in ${path}` : '';
  return `${parts.join(', ')}${place}${place !== '' && line !== undefined ? `:${line}` : ''}`;
}

/** Returns what a browser saw last while a turn runs, and what follows from it; undefined before it looks. */
export function liveLook(turn: Turn): string | undefined {
  const { number, look } = lastLook(turn);
  if (!look) return undefined;
  const text = lookSentence(look);
  const next = turn.attempts.slice(number).find(isRunning);
  if (next?.kind === 'repair') return `${text}, repairing`;
  const after = turn.attempts.slice(number - 1);
  const dropped = after.findLast((attempt) => attempt?.dropped);
  if (!dropped) return text;
  return dropped === after[0]
    ? `${text}, so the ${dropped.kind} was dropped`
    : `${text}. The ${dropped.kind} was dropped`;
}

/** Returns the last look at a project, and the number of the attempt before it. */
function lastLook({ looks }: Turn) {
  const number = Math.max(0, ...looks.keys());
  return { number, look: looks.get(number) };
}

const isRunning = (attempt: Turn['attempts'][number] | undefined) => attempt?.outcome === undefined;

/** Returns what a running turn does at present, for its state. */
export function activityOf(turn: Turn): 'looking' | 'repairing' | 'reviewing' | undefined {
  if (turn.status !== 'running') return undefined;
  if (lastLook(turn).look?.state === 'looking') return 'looking';
  const kinds = turn.attempts.filter(isRunning).map(({ kind }) => kind);
  if (kinds.includes('repair')) return 'repairing';
  return kinds.includes('review') ? 'reviewing' : undefined;
}

/** Returns the problems of a project: those that a browser found, with their places, then the others. */
export function problemsOf({ look, problems = [] }: Turn): readonly BuildProblem[] {
  const found = look?.problems ?? [];
  const lines = found.map(placedLine);
  // Long sentences are cut in `problems`.
  const isFound = (text: string) =>
    lines.some((line) => line === text || (text.endsWith('…') && line.startsWith(text.slice(0, -1))));
  const others = problems.filter((text) => !isFound(text)).map((message) => ({ message }));
  return [...found, ...others];
}

/** Whether the page shows nothing, or fails while it loads. */
export const isBroken = (look: Look | undefined) => look?.problems?.some(({ blocking }) => blocking === true) === true;

/** Whether the generation was to publish its project, and what the browser saw prevented it. */
export const isWithheld = (turn: Turn) => isOver(turn) && turn.deploymentError !== undefined && isBroken(turn.look);

/**
 * Where the pictures of a page are. Those of a generation and of a private deployment need the credentials of this page, those of
 * another deployment are public. If only the id of a deployment is known, its live version has to be asked for.
 */
export type PictureSource =
  | { readonly generation: string; readonly attempt?: number | undefined }
  | { readonly deployment: string }
  | { readonly site: string; readonly version: string; readonly token?: string | undefined }
  | { readonly paths: { readonly [Width in LookWidth]?: string } };

type Seen = Pick<Look, 'screenshots'> | undefined;

/** Returns whether a look took any picture. */
export const hasPictures = (look: Seen) => LOOK_WIDTHS.some((width) => look?.screenshots?.[width] !== undefined);

/** Returns the pictures of a generation; undefined without any. */
export function picturesOfGeneration(id: string | undefined, look: Seen): PictureSource | undefined {
  return id !== undefined && hasPictures(look) ? { generation: id } : undefined;
}

/** Returns the pictures of a version of a page; undefined without any. */
export function picturesOfSite(
  { id, access, token }: Pick<PublishedSite, 'id' | 'access' | 'token'>,
  version: string,
  look: Seen,
): PictureSource | undefined {
  if (!hasPictures(look)) return undefined;
  return isPrivate(access) ? { site: id, version, token } : picturesOfDeployment(look);
}

/** Returns the pictures of a public deployment; undefined without any. Paths, because this page may have another host than the URLs. */
function picturesOfDeployment(look: Seen): PictureSource | undefined {
  if (!hasPictures(look)) return undefined;
  const known = Object.entries(look?.screenshots ?? {}).map(([width, url]) => {
    const { pathname, search } = new URL(url, 'https://service.invalid');
    return [width, pathname + search];
  });
  return { paths: Object.fromEntries(known) };
}

/** Returns the pictures of an entry of the gallery; undefined without any, and if they need a key. @param now in Unix milliseconds */
export function picturesOfEntry(entry: GalleryEntry, hasKey: boolean, now: number): PictureSource | undefined {
  const { seen, site, generation, keyed, at, keptAt } = entry;
  const isReadable = !keyed || hasKey;
  if (seen === 'site' && site && siteEnd(site, now) === undefined) {
    const { id, access, version, token } = site;
    if (isPrivate(access)) return isReadable ? { site: id, version, token } : undefined;
    const path = `/d/${encodeURIComponent(id)}.png?width=`;
    return { paths: { 390: `${path}390`, 1280: `${path}1280` } };
  }
  const isThere = now - Math.max(at, keptAt ?? 0) < KEPT_MS;
  return seen === 'generation' && generation !== undefined && isReadable && isThere ? { generation } : undefined;
}

const isPrivate = (access: PublishedSite['access'] = 'public') => access !== 'public';
