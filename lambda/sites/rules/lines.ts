/** Bounds the work per request. A control file may have more lines; only these count. */
const MAX_LINES = 1_000;
/** A longer line is ignored; a content security policy fits. */
const MAX_CHARACTERS = 2_000;

/** Returns the lines of a control file that count, trimmed: no comments, no blank lines, none beyond the limits. */
export function ruleLines(file: Uint8Array | undefined): string[] {
  if (file === undefined) return [];
  const lines = new TextDecoder().decode(file).split('\n');
  return lines
    .map((line) => (line.length > MAX_CHARACTERS ? '' : line.trim()))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, MAX_LINES);
}
