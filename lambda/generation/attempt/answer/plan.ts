import { PathSet } from '../../../sites/paths.ts';
import type { Plan, PlannedFile } from '../../../stored/projects/stored-project.ts';

/** The start of a list item: bullets, numbers, check boxes, emphasis. */
const LEAD = /^(?:[-*+•]\s+|\d{1,3}[.)]\s+|\[[ x]\]\s+|\*\*)*/i;
const QUOTED = /^`([^`]+)`/;
const BARE = /^[^\s:*`]+/;
const SEPARATOR = /^(?:\*\*)?\s*(?::|[-–—]+(?=\s)|\*\*|$)(?:\*\*)?\s*/;

/** The number of a group, which has neither a dot nor a bracket behind it. */
const GROUP = /^(\d{1,2})\s+(?=\S)/;

/** Longer lines are prose; the limit also bounds the cost of the patterns above. */
const LONGEST = 6_000;

/**
 * Parses a line of a plan, `path: purpose` or `2 path: purpose` with the number of its group, as models write it: possibly
 * with a bullet or a number, backticks around the path, a dash instead of the colon, or no purpose. Returns undefined for a
 * line without a path. A path that is not quoted contains no spaces, and contains a dot or a slash unless it is a well-known
 * name.
 */
export function readPlanLine(line: string): PlannedFile | undefined {
  if (line.length > LONGEST) return undefined;
  const item = line.trim().replace(LEAD, '');
  const group = GROUP.exec(item);
  const text = group ? item.slice(group[0].length).replace(LEAD, '') : item;
  const quoted = QUOTED.exec(text);
  const written = quoted?.[0] ?? BARE.exec(text)?.[0] ?? '';
  const path = (quoted?.[1] ?? written).replace(/^\.\//, '');
  const separator = SEPARATOR.exec(text.slice(written.length));
  if (separator === null || !(quoted || /[./]|^(?:Dockerfile|Makefile|LICENSE)$/.test(path)))
    return undefined;
  const purpose = text.slice(written.length + separator[0].length);
  return group ? { path, purpose, group: Number(group[1]) } : { path, purpose };
}

/** The largest plan, in bytes and files: every write of the generation's item pays for it, and the item has at most 400 KB. */
const LARGEST = 60_000;
const MOST_FILES = 1_000;

/**
 * Reads the lines of a plan. In a plan with groups, lines without the number of a group are about several files.
 * @param before the existing files of the project, whose paths cannot be planned
 */
export function readPlan(lines: readonly string[], before: readonly string[]): Plan {
  const paths = new PathSet(before);
  const files = new Map<string, PlannedFile>();
  const others: string[] = [];
  let room = LARGEST;
  for (const line of lines) {
    room -= Buffer.byteLength(line);
    if (room < 0 || files.size === MOST_FILES) break;
    const file = readPlanLine(line);
    if (file === undefined) others.push(line.trim());
    else if (paths.add(file.path) === undefined) files.set(file.path, file);
  }
  const planned = [...files.values()];
  if (planned.every(({ group }) => group === undefined)) return { files: planned, shared: '' };
  // `State.items: …` looks like a path.
  const isShared = ({ group }: PlannedFile) => group === undefined;
  others.push(...planned.filter(isShared).map(({ path, purpose }) => `${path}: ${purpose}`));
  return { files: planned.filter((file) => !isShared(file)), shared: others.join('\n').trim() };
}
