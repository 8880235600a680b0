import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderName } from '../../contract/generate.ts';
import type { LookProblem } from '../../contract/looks.ts';
import type { Clock } from '../../platform/clock.ts';
import { log } from '../../platform/log.ts';
import { entryOf } from '../../sites/entry.ts';
import type { Builder } from '../../stored/builds/builder.ts';
import { buildTenant } from '../../stored/generations.ts';
import { LOOK_SECONDS, type Look, type Looker, type NoLook } from '../../stored/looks/looker.ts';
import type { ProjectContents } from '../../stored/projects/project-contents.ts';
import type { ProjectFileStore } from '../../stored/projects/project-file-store.ts';
import type { Generation, LookEntry } from '../generation.ts';
import { lookProblems } from '../room.ts';
import { type BuildCheck, checkBuild } from './build-check.ts';

export interface LookPorts {
  readonly looker: Looker;
  /** Why projects of a provider are not looked at, as a sentence; undefined if they are. */
  readonly unlooked: (provider: ProviderName) => string | undefined;
  readonly builder: Builder;
  readonly files: Pick<ProjectFileStore, 'putLook'>;
  readonly clock: Clock;
}

const TOO_LATE: NoLook = { state: 'failed', reason: 'There was no time for another look' };

type Site = NonNullable<BuildCheck['site']>;

/** Whether there is something to look at: a project of texts alone has no page. */
export function hasPage(site: Site): boolean {
  return entryOf([...site.keys()]) !== '';
}

/**
 * Has a browser look at what visitors would get, and keeps its pictures. Never throws for the browser or the page.
 * @param base the project before the generation. Of what the browser sees there, only what keeps the page from loading counts: the
 *   rest is the caller's own.
 */
export async function lookAt(
  site: Site,
  attempt: number,
  generation: Generation,
  base: ProjectContents,
  ports: LookPorts,
): Promise<LookEntry> {
  const { looker, files, clock } = ports;
  const until = clock() + LOOK_SECONDS * 1000;
  const look = await lookOf(site, generation, looker);
  if (look.state !== 'looked') return { attempt, ...look };
  const isStored = await files.putLook(generation.id, attempt, look).then(
    () => true,
    (error: unknown) => log.error('look not stored', { generation: generation.id, attempt, error }),
  );
  const problems = await newOnes(look.problems, generation, base, ports, until);
  const widths = isStored ? [...look.screenshots.keys()] : [];
  return { attempt, state: 'looked', problems: lookProblems(problems), widths };
}

function lookOf(site: Site, generation: Generation, looker: Looker): Promise<Look | NoLook> {
  return looker.look(buildTenant(generation), { files: site, entry: entryOf([...site.keys()]) });
}

/** Returns the problems that the project before the generation does not have, and those that keep the page from loading. */
async function newOnes(
  problems: readonly LookProblem[],
  generation: Generation,
  base: ProjectContents,
  { looker, builder, clock }: LookPorts,
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
  // Without a page before, all is new. Without a look at it, nothing is known to be.
  if (before === undefined) return problems;
  if (before.state !== 'looked') return problems.filter(isOwn);
  const known = new Set(before.problems.map(identityOf));
  return problems.filter((problem) => isOwn(problem) || !known.has(identityOf(problem)));
}

/** Omits what other changes affect: one above a line moves it. */
function identityOf({ kind, path, message }: LookProblem): string {
  return `${kind} ${path} ${message.replace(/\d+/g, '#')}`;
}
