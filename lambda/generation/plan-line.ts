import type { PlannedFile } from './project.ts';

/** What lists put before a path, once or more: bullets, numbers, check boxes, emphasis. */
const LEAD = /^(?:[-*+•]\s+|\d{1,3}[.)]\s+|\[[ x]\]\s+|\*\*)*/i;
const QUOTED = /^`([^`]+)`/;
const BARE = /^[^\s:*`]+/;
const SEPARATOR = /^(?:\*\*)?\s*(?::|[-–—]+(?=\s)|\*\*|$)(?:\*\*)?\s*/;

/** Longer lines are prose; the bound keeps the patterns above cheap. */
const LONGEST = 2_000;

/**
 * A line of a plan, `path: purpose`, as models write it: with or without a bullet, a number, backticks around the
 * path, a dash for the colon, no purpose at all. Undefined for a line that names no file: a path has no spaces,
 * unless it is quoted, and a dot or a slash, unless it is one of the few files known without.
 */
export function readPlanLine(line: string): PlannedFile | undefined {
  if (line.length > LONGEST) return undefined;
  const text = line.trim().replace(LEAD, '');
  const quoted = QUOTED.exec(text);
  const written = quoted?.[0] ?? BARE.exec(text)?.[0] ?? '';
  const path = (quoted?.[1] ?? written).replace(/^\.\//, '');
  const separator = SEPARATOR.exec(text.slice(written.length));
  if (separator === null || !(quoted || /[./]|^(?:Dockerfile|Makefile|LICENSE)$/.test(path)))
    return undefined;
  return { path, purpose: text.slice(written.length + separator[0].length) };
}
