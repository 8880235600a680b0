import type { PlannedFile } from './project.ts';

/** The start of a list item: bullets, numbers, check boxes, emphasis. */
const LEAD = /^(?:[-*+•]\s+|\d{1,3}[.)]\s+|\[[ x]\]\s+|\*\*)*/i;
const QUOTED = /^`([^`]+)`/;
const BARE = /^[^\s:*`]+/;
const SEPARATOR = /^(?:\*\*)?\s*(?::|[-–—]+(?=\s)|\*\*|$)(?:\*\*)?\s*/;

/** Longer lines are prose; the limit also bounds the cost of the patterns above. */
const LONGEST = 2_000;

/**
 * Parses a line of a plan, `path: purpose`, as models write it: possibly with a bullet or a number, backticks around the
 * path, a dash instead of the colon, or no purpose. Returns undefined for a line without a path. A path that is not
 * quoted contains no spaces, and contains a dot or a slash unless it is a well-known name.
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
