import { readFileSync } from 'node:fs';
import type { Duration } from '../contract/generate.ts';
import { LIMITS } from '../contract/limits.ts';
import { TOLD_PACKAGES, TOLD_RADIX, TOLD_TOOLS } from '../sites/source/listed.ts';
import type { ExistingFile, UnfinishedFile, WrittenFile } from '../stored/projects/stored-project.ts';
import { DEPTHS } from './durations.ts';
import { isAboutData, relevantFiles } from './edits/context.ts';
import { list, sharedMessage } from './instructions/shared-message.ts';
import type { AttemptRequest } from './providers/provider.ts';
import { anchorOf } from './unfinished.ts';

/** The instructions to a language model for one attempt. */
export interface Instructions {
  /** The rules, which are the same for every attempt of a kind. */
  readonly system: string;
  /** The beginning of the message, which attempts of a generation have in common. */
  readonly shared: string;
  /** The rest of the message. */
  readonly prompt: string;
}

const withVersions = (told: Readonly<Record<string, string>>) =>
  Object.entries(told).map(([name, version]) => `${name} ${version}`);

const PACKAGES = [...withVersions(TOLD_PACKAGES), `and 1 or 2 of @radix-ui/react- (${TOLD_RADIX.join(', ')})`];

/** The sections of `model.md` by their headings. */
const sections = new Map(
  readFileSync(new URL('./instructions/model.md', import.meta.url), 'utf8')
    .replace('{{packages}}', PACKAGES.join(', '))
    .replace('{{tools}}', withVersions(TOLD_TOOLS).join(', '))
    .split(/^# /m)
    .map((section): [string, string] => {
      const lineEnd = section.indexOf('\n');
      return [section.slice(0, lineEnd), section.slice(lineEnd).trim()];
    }),
);

const sectionOf = (heading: string) => sections.get(heading) ?? '';

/** The examples of the instructions: what stands there between two markers. */
const EXAMPLES: ReadonlySet<string> = new Set(
  [...sections.values()].flatMap((text) =>
    Array.from(text.matchAll(/^<(file|edit|plan)\b[^>]*>\n([\s\S]*?)\n<\/\1>$/gm), ([, , body = '']) => body),
  ),
);

/** Reports if lines of an answer repeat an example of the instructions. */
export function isExample(lines: readonly string[]): boolean {
  return EXAMPLES.has(lines.map((line) => line.trimEnd()).join('\n'));
}

/** Usual sizes, not limits. */
const SIZES: Readonly<Record<Duration, string>> = {
  auto: 'Most projects have 3 to 10 files',
  '5min': 'Make it richer than a first version: most such projects have 8 to 15 files',
  '10min':
    'Make it as good as a product, with tests, documentation and features beyond the obvious ones: most such projects have 15 to 30 files',
};

/** Characters per second of a model whose pace is not known: 80 tokens. */
const USUAL_PACE = 320;
/**
 * The part of its time in which a generation can be expected to write; the rest is for waiting, planning and repairs.
 */
const WRITING_PART = 0.6;
/** How long the largest group should take to write. */
const GROUP_SECONDS = 80;
/** The part of the longest answer that a group may take; a model may spend the rest on reasoning. */
const GROUP_PART = 0.5;
/** A project of fewer characters is written by one call sooner than it is planned. */
const SMALL_KB = 15;

/** The limits of a model, in tokens. */
interface ModelLimits {
  /** How many tokens of the files the model may be shown. */
  readonly context: number;
  /** The longest answer. */
  readonly output: number;
}

/** Less than most local models have, and enough for a project of this service. */
const USUAL_LIMITS: ModelLimits = { context: 24_000, output: 32_000 };

/** Maximum number of characters of files shown for orientation: about 6,000 tokens. */
const SHOWN_CHARACTERS = 24_000;

export function instructionsFor(request: AttemptRequest, limits: ModelLimits = USUAL_LIMITS): Instructions {
  const { unfinished, reminder } = request;
  const rest = [
    ...taskOf(request, limits),
    ...(unfinished ? [continuation(unfinished)] : []),
    ...(reminder ? [remind(reminder, request)] : []),
  ];
  return {
    system: rulesFor(request).map(sectionOf).join('\n\n'),
    shared: sharedMessage(request),
    prompt: rest.join('\n\n'),
  };
}

function rulesFor(request: AttemptRequest): string[] {
  const { edits, kind, images, plan, source } = request;
  const data = dataRules(request);
  const rules = ['Project', data.length > 0 ? 'Files and data' : 'Files only', 'Technology', 'Files', ...data];
  if (source) rules.push('Source');
  if (edits) rules.push('Quality', 'Changes', 'Edits');
  else if (kind !== 'write') rules.push('Edits');
  else if (plan) rules.push('Quality', 'Group', 'Write');
  else rules.push('Quality', ...(mayPlan(request) ? ['Plan'] : []), 'Write');
  return images.length > 0 ? [...rules, 'Images'] : rules;
}

/** Where a project declares the data of its site. */
const DECLARATION = /(?:^|\/)_data\.json$/;

/** Returns the sections about the site's data. Corrections of a project that has none do not need them. */
function dataRules({ edits, kind, data, files, problems }: AttemptRequest): string[] {
  const isConcerned = files.some(({ path }) => DECLARATION.test(path)) || problems.some(isAboutData);
  if (data === undefined || (!edits && kind !== 'write' && !isConcerned)) return [];
  return ['Data', data.ownOrigins ? 'Own origin' : 'Shared origin'];
}

/** Reports if the answer may begin with a plan: it begins a new project. */
function mayPlan({ duration, parallel, ...request }: AttemptRequest): boolean {
  return (parallel > 1 || duration !== 'auto') && !isBegun(request);
}

/** Reports if an answer before left something of the project. */
function isBegun({ files, images, unfinished }: Pick<AttemptRequest, 'files' | 'images' | 'unfinished'>) {
  return files.length > images.length || unfinished !== undefined;
}

function taskOf(request: AttemptRequest, limits: ModelLimits): readonly string[] {
  const contextCharacters = limits.context * LIMITS.charactersPerToken;
  if (request.kind === 'review') return review(request, contextCharacters);
  if (request.edits) return change(request, contextCharacters);
  return request.kind === 'repair' ? repair(request) : write(request, contextCharacters, limits);
}

/** Asks for a change, or for the rest of it, or for corrections. */
function change(request: AttemptRequest, contextCharacters: number): readonly string[] {
  const { changed } = request;
  return [
    ...existing(request, contextCharacters),
    ...(changed.length === 0 ? [] : [`These were changed for this request already:\n${list(changed)}`]),
    changeTask(request),
  ];
}

/** Asks what the page lacks of the request. */
function review(request: AttemptRequest, contextCharacters: number): readonly string[] {
  const { problems } = request;
  const found = `A browser and the checks of the service found these problems; correct them as well:\n${list(problems)}`;
  return [...existing(request, contextCharacters), ...(problems.length === 0 ? [] : [found]), sectionOf('Review')];
}

/** Describes the existing project with the files that matter most for the request. */
function existing(request: AttemptRequest, contextCharacters: number): readonly string[] {
  const { files, locked } = request;
  const shown = relevantFiles(files, request, contextCharacters);
  const hidden = files.filter(({ path }) => !shown.some((file) => file.path === path));
  return [
    ...project(files, shown),
    ...(hidden.length === 0
      ? []
      : [`These are not shown; do not edit them with blocks:\n${list(hidden.map(({ path }) => path))}`]),
    ...(locked.length === 0 ? [] : [`These must not change, also not by deletion:\n${list(locked)}`]),
  ];
}

/** The last paragraph of a request to change a project. */
function changeTask({ kind, problems, changed }: AttemptRequest): string {
  if (kind === 'repair')
    return `Correct exactly these problems now. What is described as not changed is as it was before:\n${list(problems)}`;
  if (changed.length === 0) return 'Make the requested change now.';
  return 'Make only the part of the requested change that is still missing now.';
}

/** Asks for corrections. The files with problems are shown whatever their size is. */
function repair({ files, prompt, problems }: AttemptRequest): readonly string[] {
  const concerned = textsOf(files).filter(({ path }) => problems.some((problem) => problem.includes(path)));
  const size = concerned.reduce((sum, { content }) => sum + content.length, 0);
  // The generation wrote all of the files.
  const subject = { prompt, problems, changed: [] };
  return [
    ...project(files, relevantFiles(files, subject, Math.max(SHOWN_CHARACTERS, size))),
    `${sectionOf('Repair')}\n${list(problems)}`,
  ];
}

/** Asks for a new project, for a group of its files, or for what is missing of it. */
function write(request: AttemptRequest, contextCharacters: number, { output }: ModelLimits): readonly string[] {
  const { files, plan, unwritten } = request;
  const subject = { prompt: '', problems: [], changed: [], unwritten };
  const shown = relevantFiles(files, subject, plan ? SHOWN_CHARACTERS : contextCharacters);
  if (plan) {
    const paths = list(unwritten.map(({ path }) => path));
    return [
      ...project(files, shown),
      `Write only these files of the plan now, in this order, each of them whole:\n${paths}`,
    ];
  }
  const missing = 'The project is not finished yet. Write only the missing files now, and none of the existing ones.';
  return [...project(files, shown), isBegun(request) ? missing : newProject(request, output)];
}

/** @param output tokens of the longest answer */
function newProject({ duration, parallel, pace = USUAL_PACE }: AttemptRequest, output: number): string {
  const { limitMs } = DEPTHS[duration];
  const answer = output * LIMITS.charactersPerToken;
  const room = Math.min(((pace * limitMs) / 1000) * WRITING_PART, answer) * Math.min(parallel, 3);
  const sentences = [
    `Write this project now. ${SIZES[duration]}; take as many as it needs.`,
    `About ${kilobytes(room)} KB fit into the time: rather do less, and do it whole.`,
  ];
  const order = 'all its files, `index.html` first and `README.md` last.';
  if (parallel > 1) {
    const others = parallel === 2 ? 'another' : `${parallel - 1} others`;
    const group = kilobytes(Math.min(pace * GROUP_SECONDS, answer * GROUP_PART));
    sentences.push(
      `Up to about ${SMALL_KB} KB, write ${order}`,
      `If it is larger, write the plan and group 1, with \`index.html\` first: ${parallel} engineers write at the same time, you and ${others}.`,
      `A group has at most about ${group} KB in all its files, or it takes too long: rather make more groups than engineers.`,
    );
  } else if (duration === 'auto') sentences.push(`Write ${order}`);
  else sentences.push(`Plan it first, with all files in group 1, and write ${order}`);
  return sentences.join(' ');
}

const kilobytes = (count: number) => Math.max(1, Math.round(count / 1000));

/** Asks for the rest of a file. */
function continuation({ path, edits, lines }: UnfinishedFile): string {
  const marker = `<${edits ? 'edit' : 'file'} path="${path}" continued>`;
  const anchor = anchorOf(lines).join('\n');
  return [
    `The last answer broke off inside ${path}. These lines of it have arrived and are kept:`,
    lines.join('\n'),
    '--- here it broke off ---',
    'Begin your answer with exactly the following lines, and go on from there to the end of the file and its closing marker. Do not repeat anything that comes before them. Then go on as asked above.',
    `${marker}\n${anchor}`,
  ].join('\n\n');
}

/** Asks for the format once more. @param reminder what was wrong with it, as a sentence */
function remind(reminder: string, { edits, kind }: AttemptRequest): string {
  const form =
    edits || kind !== 'write'
      ? 'each change between <edit path="…"> and </edit>, or <file path="…"> and </file>'
      : 'each file between <file path="…"> and </file>';
  return [
    `Your last answer could not be read: ${reminder}.`,
    `Answer again, in the format described above: ${form}, each marker alone on its line, and <done/> on the last line.`,
    'A program reads the answer: no text, no fence and no thought outside of the markers.',
  ].join(' ');
}

const textsOf = (files: readonly ExistingFile[]) =>
  files.filter((file): file is WrittenFile => file.content !== undefined);

/** Describes the existing project: the paths of all files, and the contents of some. */
function project(files: readonly ExistingFile[], withContent: readonly WrittenFile[]): string[] {
  if (files.length === 0) return [];
  const contents = withContent.map(({ path, content }) => {
    const end = content === '' || content.endsWith('\n') ? '' : '\n';
    return `<file path="${path}">\n${content}${end}</file>`;
  });
  const which = contents.length === files.length ? 'Their contents:' : 'The contents of those that matter most here:';
  return [
    `The project has these files:\n${list(files.map(({ path }) => path))}`,
    ...(contents.length === 0 ? [] : [which, ...contents]),
  ];
}
