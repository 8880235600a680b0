export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same' | 'hunk';
  /** Without the sign. */
  readonly text: string;
  /** Number in the file after the change, or before it if the line is removed. */
  readonly number?: number;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
const KINDS: Readonly<Record<string, DiffLine['kind']>> = {
  '+': 'added',
  '-': 'removed',
  ' ': 'same',
  '': 'same',
};

/** Returns the lines of a unified diff, without the names of its files and the marks of missing newlines. */
export function diffLines(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inHunk = false;
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      inHunk = true;
      lines.push({ kind: 'hunk', text: line });
      continue;
    }
    const kind = KINDS[line.charAt(0)];
    if (!inHunk || kind === undefined) continue;
    lines.push({ kind, text: line.slice(1), number: kind === 'removed' ? before : after });
    if (kind !== 'added') before++;
    if (kind !== 'removed') after++;
  }
  return lines;
}
