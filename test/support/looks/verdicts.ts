import type { LookProblem } from '../../../lambda/contract/looks.ts';
import { placedLine } from '../../../lambda/contract/messages.ts';
import { withBrowser } from '../../../lambda/look/browser.ts';
import { type LookFindings, look } from '../../../lambda/look/look.ts';
import { BROKEN } from './broken.ts';
import { testChromium } from './chromium.ts';
import { type BrokenProject, lineOf, type SoundProject } from './project.ts';
import { SOUND } from './sound.ts';

/** What a look at a project was worth. */
export interface Verdict {
  readonly name: string;
  readonly isBroken: boolean;
  /** The fault was found, or a sound project was not accused. */
  readonly isRight: boolean;
  readonly problems: readonly LookProblem[];
  readonly ms: number;
}

const executablePath = testChromium();
/** Several times as long as in the function: what a look finds is compared, not how fast this machine is. */
const LOOK_MS = 90_000;
const LIFE_MS = 100_000;

/** Looks at a project in a browser of its own, as the function does. */
export function lookAtProject({ files }: SoundProject): Promise<LookFindings> {
  const site = {
    files: new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])),
    entry: 'index.html',
    base: '/d/look/',
  };
  return withBrowser({ executablePath, milliseconds: LIFE_MS }, (browser) => look(site, browser, LOOK_MS));
}

/** Looks at all projects, two at a time. */
export async function verdicts(
  only: (project: SoundProject) => boolean = () => true,
  seen: (project: SoundProject, verdict: Verdict) => void = () => {},
): Promise<Verdict[]> {
  const waiting = [...BROKEN, ...SOUND].filter(only);
  const judged = new Map<string, Verdict>();
  const worker = async () => {
    for (let project = waiting.shift(); project; project = waiting.shift()) {
      const verdict = await judge(project);
      judged.set(project.name, verdict);
      seen(project, verdict);
    }
  };
  await Promise.all([worker(), worker()]);
  return [...BROKEN, ...SOUND].flatMap(({ name }) => judged.get(name) ?? []);
}

async function judge(project: SoundProject | BrokenProject): Promise<Verdict> {
  const begun = performance.now();
  const { problems } = await lookAtProject(project);
  const isBroken = 'fault' in project;
  return {
    name: project.name,
    isBroken,
    isRight: isBroken ? problems.some((problem) => isFault(problem, project)) : problems.length === 0,
    problems,
    ms: Math.round(performance.now() - begun),
  };
}

function isFault(problem: LookProblem, { fault, files }: BrokenProject): boolean {
  const { kinds, message, path, line, blocking } = fault;
  return (
    kinds.includes(problem.kind) &&
    message.test(placedLine(problem)) &&
    (path === undefined || problem.path === path) &&
    (path === undefined || line === undefined || problem.line === lineOf(files[path] ?? '', line)) &&
    (blocking === undefined || problem.blocking === true)
  );
}

/** Returns a verdict as lines: what was expected, and what was found. */
export function describeVerdict({ name, isBroken, isRight, problems, ms }: Verdict): string {
  const found = problems.map((problem) => `\n    ${problem.kind}${problem.blocking ? '!' : ''} ${placedLine(problem)}`);
  return `${isRight ? '✓' : '✗'} ${isBroken ? 'broken' : 'sound'}: ${name} (${ms} ms)${found.join('')}`;
}
