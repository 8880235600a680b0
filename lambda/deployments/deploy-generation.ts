import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../contract/errors.ts';
import { boundedProblems, boundedText } from '../platform/bounded.ts';
import { OWN_CALL_HEADER } from '../sites/edge.ts';
import { dataPathOf } from '../sites/paths.ts';
import { htmlUrls } from '../sites/references/html.ts';
import { projectDeploymentId } from '../stored/deployment.ts';
import { buildTenant, type DeployOutcome } from '../stored/generations.ts';
import type { GeneratedProjects } from '../stored/projects/project-contents.ts';
import { deploy } from './deploy.ts';
import { ownSite } from './resource.ts';
import type { DeployStage } from './stage.ts';
import { submissionOf } from './submission.ts';

/** Returns the failure of a generation whose page is held, as a predicate of the page. */
const heldFailure = (held: string) => boundedText(held.replace(/^The page /, ''));

/**
 * Deploys the project of a generation to the target of its request, and loads the page as a visitor does. A repeated call
 * deploys once.
 * @param visit loads a page as a visitor does
 * @throws Error if AWS cannot be reached
 */
export async function deployGeneration(
  id: string,
  generations: Pick<GeneratedProjects, 'find' | 'files'>,
  visit: (url: string, origin: string | undefined) => Promise<VisitResult>,
  stage: DeployStage,
): Promise<DeployOutcome> {
  const generation = await generations.find(id);
  const target = generation?.deploy;
  if (!target) throw new Error(`There is no generation ${id} to deploy`);
  const { owner, deployer, projectId, names, ifMatch, holdsToken } = target;
  try {
    const submission = submissionOf(await generations.files(generation), projectId);
    const at = projectId === undefined ? names.id : projectDeploymentId(owner, projectId, await stage.idSecret());
    const token = holdsToken ? await stage.tokens.issue(at) : undefined;
    const sender = { owner, deployer, ifMatch, token, tenant: buildTenant(generation) };
    const result = await deploy(submission, sender, names, stage);
    const { response, first, bytes, warning, endsAt, isPrivate, held } = result;
    const deployed = { response, first, bytes, warning, endsAt };
    // A visit would find a 403.
    if (held !== undefined) return { ...deployed, problems: [], failure: heldFailure(held) };
    // The service has no way in either.
    if (isPrivate) return { ...deployed, problems: [] };
    const visited = await visit(response.url, ownSite(response.id, stage));
    // The state of the execution has them, and then the item of the generation.
    const problems = boundedProblems(visited.problems);
    const failure = visited.failure === undefined ? undefined : boundedText(visited.failure);
    return { ...deployed, problems, failure };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, error: boundedText(error.message) };
  }
}

/** The responses that a visitor of a deployed page gets. */
export interface VisitResult {
  /** Why the page does not load; undefined if it does. */
  readonly failure?: string;
  /** References of the page that do not load, one sentence each. */
  readonly problems: readonly string[];
}

/** Pauses before the retries of a request that failed or had a status of 500 or more. */
const PAUSES_MS = [300, 1_000];
const TIMEOUT_MS = 8_000;
/** Together with the deploy, less than the timeout of the function. */
const PATIENCE_MS = 30_000;
const REDIRECTS = 5;
const CONCURRENT = 8;
/** More references than a page of 200 files needs. */
const REFERENCES = 300;

interface VisitOptions {
  readonly patienceMs?: number;
  /** Exempts the visit from the rates of the web ACL, which all visits of the service would share. */
  readonly ownCallSecret?: string | undefined;
}

/** How a visit loads a URL: only within the site, and only until its end. */
interface Visit {
  readonly headers: Readonly<Record<string, string>>;
  readonly isLocal: (url: URL) => boolean;
  readonly end: AbortSignal;
}

/**
 * Loads a deployed page and every reference of it to its own site, as a visitor does.
 * @param url of the deployment
 * @param origin of the deployment if it has one of its own, to which `url` redirects
 */
export async function visitPage(
  url: string,
  origin: string | undefined,
  { patienceMs = PATIENCE_MS, ownCallSecret }: VisitOptions = {},
): Promise<VisitResult> {
  const site = [`${url}/`, ...(origin === undefined ? [] : [new URL('/', origin).href])];
  const isLocal = ({ href }: URL) => href === url || site.some((root) => href.startsWith(root));
  const headers = {
    accept: 'text/html, */*',
    // Without a web ACL, it only tells that this is no view. Never sent elsewhere: redirects to other origins are not followed.
    [OWN_CALL_HEADER]: ownCallSecret ?? 'none',
  };
  const visit = { headers, isLocal, end: AbortSignal.timeout(patienceMs) };
  const page = await load(new URL(url), visit);
  if ('failure' in page) return { failure: page.failure, problems: [] };
  const references = localReferences(page.text, page.url, isLocal);
  const problems: string[] = [];
  let unchecked = references.length;
  const next = async () => {
    for (let at = references.pop(); at !== undefined; at = references.pop()) {
      const loaded = await load(at, visit);
      if (visit.end.aborted) return;
      unchecked--;
      if ('failure' in loaded) problems.push(`${at.pathname}: the page refers to it, and it ${loaded.failure}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, next));
  const late = `${unchecked} references of the page were not checked: loading them takes too long`;
  // First, because only the first problems are kept.
  return { problems: [...(unchecked > 0 ? [late] : []), ...problems.sort()] };
}

function localReferences(html: string, page: URL, isLocal: (url: URL) => boolean): URL[] {
  const { base = '', urls } = htmlUrls(html);
  const root = URL.parse(base, page.href) ?? page;
  const found = urls.flatMap((text) => {
    const url = URL.parse(text, root.href);
    // The data of a site are no part of the page: a form may send where its visitor must not read, and the client is always there.
    if (!url || !isLocal(url) || dataPathOf(url.pathname) !== undefined) return [];
    url.hash = '';
    return url.href === page.href ? [] : [url.href];
  });
  return [...new Set(found)].slice(0, REFERENCES).map((href) => new URL(href));
}

type LoadedFile = { readonly url: URL; readonly text: string } | { readonly failure: string };

/** Loads a URL, with retries. */
async function load(url: URL, visit: Visit, [pause, ...pauses] = PAUSES_MS): Promise<LoadedFile> {
  const loaded = await request(url, visit).catch((error: Error & { cause?: Error }) => ({
    status: 500,
    failure: `cannot be reached: ${error.cause?.message ?? error.message}`,
  }));
  const isFinal = !('failure' in loaded) || loaded.status < 500;
  if (isFinal || pause === undefined || visit.end.aborted) return loaded;
  await sleep(pause);
  return load(url, visit, pauses);
}

/** Follows redirects within the site only: a site can redirect to any address, also to one that only this function reaches. */
async function request(
  from: URL,
  { headers: sent, isLocal, end }: Visit,
): Promise<LoadedFile & { readonly status: number }> {
  let url = from;
  for (let left = REDIRECTS; left > 0; left--) {
    const signal = AbortSignal.any([end, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(url, { headers: sent, redirect: 'manual', signal });
    const { status, headers } = response;
    const isHtml = headers.get('content-type')?.startsWith('text/html') ?? false;
    const text = await (isHtml ? response.text() : response.arrayBuffer().then(() => ''));
    const target = headers.get('location');
    if (response.ok) return { url, text, status };
    if (status < 300 || status > 399 || target === null) return { status, failure: `responds with ${status}` };
    const next = new URL(target, url);
    // The site sends its visitors elsewhere on purpose.
    if (!isLocal(next)) return { url, text: '', status };
    url = next;
  }
  return { status: 310, failure: `redirects more than ${REDIRECTS} times` };
}
