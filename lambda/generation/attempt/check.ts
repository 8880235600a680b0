import { setTimeout as sleep } from 'node:timers/promises';
import type { BuildProblem } from '../../contract/builds.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ProviderName } from '../../contract/generate.ts';
import type { LookProblem } from '../../contract/looks.ts';
import { placedLine } from '../../contract/messages.ts';
import type { Clock } from '../../platform/clock.ts';
import { log } from '../../platform/log.ts';
import { unpackSite } from '../../sites/archive.ts';
import { entryOf } from '../../sites/paths.ts';
import type { BuildInput } from '../../sites/source/build.ts';
import { projectKind } from '../../sites/source/kind.ts';
import { atRoot } from '../../sites/source/root.ts';
import { isEnvFile, readVariables } from '../../sites/source/variables.ts';
import type { Builder } from '../../stored/builds/builder.ts';
import { buildTenant } from '../../stored/generations.ts';
import { LOOK_SECONDS, type Look, type Looker, type NoLook } from '../../stored/looks/looker.ts';
import type { ProjectContents } from '../../stored/projects/project-contents.ts';
import type { ProjectFileStore } from '../../stored/projects/project-file-store.ts';
import type { Generation, LookEntry } from '../generation.ts';
import { lookProblems } from '../generation-log.ts';

/** The services that build projects and open their pages. */
export interface Checkers {
  readonly builder: Builder;
  readonly looker: Looker;
  /** Why projects of a provider are not looked at, as a sentence; undefined if they are. */
  readonly unlooked: (provider: ProviderName) => string | undefined;
  readonly files: Pick<ProjectFileStore, 'putLook'>;
  readonly clock: Clock;
}

/** The result of building a project as its deploy would. */
interface BuildCheck {
  /** Why it cannot be built, one sentence each with its place; undefined if it was not built. */
  readonly unbuilt?: readonly string[];
  /** The files that visitors would get; undefined if that is not known. */
  readonly site?: Site;
}

type Site = ReadonlyMap<string, Uint8Array>;

/**
 * Builds the project of a generation if it is source, as its deploy would: the result is stored, so that the deploy
 * need not build it again. Other projects are returned as browsers run them. An unavailable builder is not reported as
 * a problem of the project.
 */
export async function checkBuild(
  generation: Pick<Generation, 'id' | 'owner'>,
  project: ProjectContents,
  builder: Builder,
): Promise<BuildCheck> {
  const kind = projectKind(project);
  if (kind.kind === 'refused') return {};
  if (kind.kind === 'site')
    return { site: new Map(Array.from(project, ([path, content]) => [path, Buffer.from(content)])) };
  try {
    const { archive } = await builder.build(buildTenant(generation), inputOf(project, kind.root));
    return { unbuilt: [], site: unpackSite(archive) };
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { unbuilt: sentencesOf(error) };
    log.error('project not built', { generation: generation.id, error });
    return {};
  }
}

/** Returns the input of the build that a first deploy of the project makes. */
function inputOf(project: ProjectContents, root: string): BuildInput {
  const files = new Map<string, Uint8Array>();
  const envFiles = new Map<string, Uint8Array>();
  for (const [path, content] of project) (isEnvFile(path) ? envFiles : files).set(path, Buffer.from(content));
  const env = Object.fromEntries(readVariables(atRoot(envFiles, root), {}));
  return { files, env, preview: false, chosen: {} };
}

function sentencesOf({ message, body }: ApiError): string[] {
  const { problems = [] } = body as { readonly problems?: readonly BuildProblem[] };
  return problems.length === 0 ? [message] : problems.map(placedLine);
}

const TOO_LATE: NoLook = { state: 'failed', reason: 'There was no time for another look' };

/** Reports if there is something to look at: a project of texts alone has no page. */
export function hasPage(site: Site): boolean {
  return entryOf([...site.keys()]) !== '';
}

/**
 * Opens what visitors would get in a browser, and stores its pictures. Never throws for the browser or the page.
 * @param base the project before the generation. Of what the browser sees there, only what keeps the page from loading
 *   counts: the rest is the caller's own.
 */
export async function lookAtSite(
  site: Site,
  attempt: number,
  generation: Generation,
  base: ProjectContents,
  checkers: Checkers,
): Promise<LookEntry> {
  const { looker, files, clock } = checkers;
  const until = clock() + LOOK_SECONDS * 1000;
  const look = await lookOf(site, generation, looker);
  if (look.state !== 'looked') return { attempt, ...look };
  const isStored = await files.putLook(generation.id, attempt, look).then(
    () => true,
    (error: unknown) => log.error('look not stored', { generation: generation.id, attempt, error }),
  );
  const problems = await newProblemsOf(look.problems, generation, base, checkers, until);
  const widths = isStored ? [...look.screenshots.keys()] : [];
  return { attempt, state: 'looked', problems: lookProblems(problems), widths };
}

function lookOf(site: Site, generation: Generation, looker: Looker): Promise<Look | NoLook> {
  return looker.look(buildTenant(generation), { files: site, entry: entryOf([...site.keys()]) });
}

/**
 * Returns the problems that the project before the generation does not have, and those that keep the page from loading.
 */
async function newProblemsOf(
  problems: readonly LookProblem[],
  generation: Generation,
  base: ProjectContents,
  { looker, builder, clock }: Checkers,
  until: number,
): Promise<readonly LookProblem[]> {
  const isOwn = ({ blocking }: LookProblem) => blocking === true;
  if (base.size === 0 || problems.every(isOwn)) return problems;
  const lookBefore = async (): Promise<Look | NoLook | undefined> => {
    const { site } = await checkBuild(generation, base, builder);
    return site && hasPage(site) ? lookOf(site, generation, looker) : undefined;
  };
  const late = new AbortController();
  const timeIsUp = sleep(Math.max(0, until - clock()), TOO_LATE, { signal: late.signal, ref: false });
  const before = await Promise.race([lookBefore(), timeIsUp.catch(() => TOO_LATE)]);
  late.abort();
  // Without a page before, all is new. Without a whole look at it, nothing is known to be.
  if (before === undefined) return problems;
  if (before.state !== 'looked' || before.isPartial) return problems.filter(isOwn);
  const known = new Set(before.problems.map(identityOf));
  return problems.filter((problem) => isOwn(problem) || !known.has(identityOf(problem)));
}

/** Omits what other changes affect: one above a line moves it. */
function identityOf({ kind, path, message }: LookProblem): string {
  return `${kind} ${path} ${message.replace(/\d+/g, '#')}`;
}
