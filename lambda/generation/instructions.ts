import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Duration } from '../contract/generate.ts';
import type { WrittenFile } from './output-parser.ts';
import type { PassRequest, PlannedFile } from './providers/provider.ts';

/** What a model is told: the rules, which are the same for every request of a pass, and the request itself. */
export interface Instructions {
  readonly system: string;
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

const RULES: Readonly<Record<PassRequest['pass'], readonly string[]>> = {
  plan: ['Project', 'Plan'],
  write: ['Project', 'Files', 'Write'],
  repair: ['Project', 'Files', 'Repair'],
};

/** How large a project is worth planning, so that it is written within the duration. */
const SIZES: Readonly<Record<Duration, string>> = {
  auto: '3 to 8 files',
  '5min': '8 to 15 files',
  '10min': '15 to 30 files, with tests, documentation and features beyond the obvious ones',
};

/** The most characters of files that are shown for orientation: some 6,000 tokens. */
const SHOWN_CHARACTERS = 24_000;

/** What to tell a language model so that it does a pass. */
export function instructionsFor(request: PassRequest): Instructions {
  const system = RULES[request.pass].map((heading) => sections.get(heading)).join('\n\n');
  const parts = [quoted(request.prompt), ...TASKS[request.pass](request)];
  return { system, prompt: parts.join('\n\n') };
}

const TASKS: Readonly<Record<PassRequest['pass'], (request: PassRequest) => readonly string[]>> = {
  plan: ({ duration }) => [`Plan this project now. It has ${SIZES[duration]}.`],
  write: ({ duration, files, lacking }) => [
    ...project(files, smallest(files, SHOWN_CHARACTERS)),
    lacking.length > 0 ? planned(lacking) : unplanned(files, duration),
  ],
  repair: ({ files, problems }) => {
    const concerned = files.filter(({ path }) => problems.some((problem) => problem.includes(path)));
    const others = files.filter((file) => !concerned.includes(file));
    const room = SHOWN_CHARACTERS - concerned.reduce((sum, { content }) => sum + content.length, 0);
    return [
      ...project(files, [...concerned, ...smallest(others, room)]),
      `Correct exactly these problems now:\n${list(problems)}`,
    ];
  },
};

function planned(lacking: readonly PlannedFile[]): string {
  const lines = lacking.map(({ path, purpose }) => (purpose === '' ? path : `${path}: ${purpose}`));
  return `Write only these files now, in this order, each of them whole:\n${list(lines)}`;
}

function unplanned(files: readonly WrittenFile[], duration: Duration): string {
  return files.length === 0
    ? `Write this project now. It has ${SIZES[duration]}.`
    : 'The project is not finished yet. Write only the files that it still lacks now, and none of those there are.';
}

/**
 * The request between two lines that it cannot contain, for they are made from its own hash: text that looks like
 * the end of the request does not end it.
 */
function quoted(prompt: string): string {
  const mark = createHash('sha256').update(prompt).digest('hex').slice(0, 12);
  return `--- request ${mark} begins ---\n${prompt}\n--- request ${mark} ends ---`;
}

/** As many of the files as fit, the smallest first: per token, those tell the most about a project. */
function smallest(files: readonly WrittenFile[], room: number): WrittenFile[] {
  let left = room;
  return files
    .toSorted((a, b) => a.content.length - b.content.length)
    .filter(({ content }) => {
      left -= content.length;
      return left >= 0;
    });
}

/** What there is: the paths of all files, and the contents of some. */
function project(files: readonly WrittenFile[], withContent: readonly WrittenFile[]): string[] {
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
