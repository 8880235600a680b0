import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Duration } from '../contract/generate.ts';
import { LIMITS } from '../contract/limits.ts';
import { relevantFiles } from './edits/context.ts';
import { imageTypeOf } from './images/image-type.ts';
import { pixelSize } from './images/pixel-size.ts';
import type { ExistingFile, PlannedFile, ProjectImage, WrittenFile } from './project.ts';
import type { AttemptRequest } from './providers/provider.ts';

/** The instructions for one attempt, from the part that most attempts share to the part that none does. */
export interface Instructions {
  /** The rules, which are the same for every attempt of a kind. */
  readonly system: string;
  /** The quoted request and the description of its images, which are the same for every attempt of a generation. */
  readonly shared: string;
  /** The task and the project. Follows `shared` after a blank line. */
  readonly prompt: string;
}

/** The sections of `model.md` by their headings. */
const sections = new Map(
  readFileSync(new URL('./instructions/model.md', import.meta.url), 'utf8')
    .split(/^# /m)
    .map((section): [string, string] => {
      const lineEnd = section.indexOf('\n');
      return [section.slice(0, lineEnd), section.slice(lineEnd).trim()];
    }),
);

const RULES: Readonly<Record<AttemptRequest['kind'], readonly string[]>> = {
  plan: ['Project', 'Plan'],
  write: ['Project', 'Files', 'Write'],
  repair: ['Project', 'Files', 'Repair'],
};

/** The rules for a change of an existing project. */
const EDIT_RULES = ['Project', 'Files', 'Changes'];

/** The size of a plan that can be written within the duration. */
const SIZES: Readonly<Record<Duration, string>> = {
  auto: '3 to 8 files',
  '5min': '8 to 15 files',
  '10min': '15 to 30 files, with tests, documentation and features beyond the obvious ones',
};

/** Less than the context of most local models, and enough for a project of this service. */
const CONTEXT_TOKENS = 24_000;

/** Maximum number of characters of files shown for orientation: about 6,000 tokens. */
const SHOWN_CHARACTERS = 24_000;

/**
 * Returns the instructions to a language model for one attempt.
 * @param contextTokens how many tokens of the files may be shown for a change, at the contract's estimate
 */
export function instructionsFor(request: AttemptRequest, contextTokens = CONTEXT_TOKENS): Instructions {
  const { edits, kind, images } = request;
  const rules = [...(edits ? EDIT_RULES : RULES[kind]), ...(images.length > 0 ? ['Images'] : [])];
  const task = edits ? change(request, contextTokens) : TASKS[kind](request);
  const system = rules.map((heading) => sections.get(heading)).join('\n\n');
  const shared = [quoted(request.prompt), ...given(images)].join('\n\n');
  return { system, shared, prompt: task.join('\n\n') };
}

/** Asks for a change, or for the rest of it, or for corrections. */
function change(request: AttemptRequest, contextTokens: number): readonly string[] {
  const { files, changed, locked, kind, problems } = request;
  const shown = relevantFiles(files, request, contextTokens * LIMITS.charactersPerToken);
  const hidden = files.filter(({ path }) => !shown.some((file) => file.path === path));
  return [
    ...project(files, shown),
    ...(hidden.length === 0
      ? []
      : [`These are not shown; do not edit them with blocks:\n${list(hidden.map(({ path }) => path))}`]),
    ...(locked.length === 0 ? [] : [`These must not change, also not by deletion:\n${list(locked)}`]),
    ...(changed.length === 0 ? [] : [`These were changed for this request already:\n${list(changed)}`]),
    kind === 'repair'
      ? `Correct exactly these problems now. What is described as not changed is as it was before:\n${list(problems)}`
      : changed.length === 0
        ? 'Make the requested change now.'
        : 'Make only the part of the requested change that is still missing now.',
  ];
}

const TASKS: Readonly<Record<AttemptRequest['kind'], (request: AttemptRequest) => readonly string[]>> = {
  plan: ({ duration }) => [`Plan this project now. It has ${SIZES[duration]}.`],
  write: ({ duration, files, images, unwritten }) => [
    ...project(files, smallest(textsOf(files), SHOWN_CHARACTERS)),
    unwritten.length > 0 ? planned(unwritten) : unplanned(files.length === images.length, duration),
  ],
  repair: ({ files, problems }) => {
    const texts = textsOf(files);
    const concerned = texts.filter(({ path }) => problems.some((problem) => problem.includes(path)));
    const others = texts.filter((file) => !concerned.includes(file));
    const room = SHOWN_CHARACTERS - concerned.reduce((sum, { content }) => sum + content.length, 0);
    return [
      ...project(files, [...concerned, ...smallest(others, room)]),
      `Correct exactly these problems now:\n${list(problems)}`,
    ];
  },
};

function planned(unwritten: readonly PlannedFile[]): string {
  const lines = unwritten.map(({ path, purpose }) => (purpose === '' ? path : `${path}: ${purpose}`));
  return `Write only these files now, in this order, each of them whole:\n${list(lines)}`;
}

function unplanned(isNew: boolean, duration: Duration): string {
  return isNew
    ? `Write this project now. It has ${SIZES[duration]}.`
    : 'The project is not finished yet. Write only the missing files now, and none of the existing ones.';
}

/**
 * Puts the request between two marks that it cannot contain, because they are made from its own hash: a prompt cannot fake
 * the end of the request.
 */
function quoted(prompt: string): string {
  const mark = createHash('sha256').update(prompt).digest('hex').slice(0, 12);
  return `--- request ${mark} begins ---\n${prompt}\n--- request ${mark} ends ---`;
}

const textsOf = (files: readonly ExistingFile[]) =>
  files.filter((file): file is WrittenFile => file.content !== undefined);

/** Returns as many files as fit, the smallest first: per token, they tell the most about a project. */
function smallest(files: readonly WrittenFile[], room: number): WrittenFile[] {
  let left = room;
  return files
    .toSorted((a, b) => a.content.length - b.content.length)
    .filter(({ content }) => {
      left -= content.length;
      return left >= 0;
    });
}

/** Describes the images that the caller gave. */
function given(images: readonly ProjectImage[]): string[] {
  if (images.length === 0) return [];
  const lines = images.map(({ path, content }) => {
    const type = imageTypeOf(path);
    const size = typeof content === 'string' ? undefined : pixelSize(type, content);
    return `${path} (${type}${size ? `, ${size.width} × ${size.height} pixels` : ''})`;
  });
  return [`These images are given with the request, as files of the project:\n${list(lines)}`];
}

/** Describes the existing project: the paths of all files, and the contents of some. */
function project(files: readonly ExistingFile[], withContent: readonly WrittenFile[]): string[] {
  if (files.length === 0) return [];
  const contents = withContent.map(({ path, content }) => {
    const end = content === '' || content.endsWith('\n') ? '' : '\n';
    return `<file path="${path}">\n${content}${end}</file>`;
  });
  return [
    `The project has these files:\n${list(files.map(({ path }) => path))}`,
    ...(contents.length === 0 ? [] : ['The contents of those that matter most here:', ...contents]),
  ];
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
