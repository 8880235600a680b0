/** A line, or its beginning, that structures an answer, such as `<file path="index.html">`. */
export interface Marker {
  readonly name: 'file' | 'edit' | 'delete' | 'plan' | 'done';
  readonly closing: boolean;
  readonly path: string | undefined;
  /** The file that it opens, if it does. */
  readonly opens: string | undefined;
  /** Whether it continues an unfinished file. */
  readonly continues: boolean;
  /** The rest of its line. */
  readonly rest: string;
}

const MARKER =
  /^\s*<(?<slash>\/?)(?<name>file|edit|delete|plan|done)(?=[\s/>])(?<attributes>(?:"[^"]*"|'[^']*'|[^"'>])*)>/i;
const PATH = /\spath\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
/** Far more than the longest path needs. Bounds the cost of a line: a marker must end within this many characters. */
const LONGEST_MARKER = 4_096;

/**
 * Returns the marker with which a line begins; undefined for any other line.
 * @param edits whether there are files to edit and to delete
 */
export function markerOf(line: string, edits: boolean): Marker | undefined {
  const match = MARKER.exec(line.length > LONGEST_MARKER ? line.slice(0, LONGEST_MARKER) : line);
  if (match === null) return undefined;
  const { slash, name = '', attributes = '' } = match.groups ?? {};
  const known = name.toLowerCase() as Marker['name'];
  if (!edits && (known === 'edit' || known === 'delete')) return undefined;
  const closing = slash === '/';
  const selfClosing = attributes.endsWith('/');
  const path = pathIn(selfClosing ? attributes.slice(0, -1) : attributes);
  // `<file path="x"/>` opens no file: many formats have such elements.
  const mayOpen = (known === 'file' || known === 'edit') && !closing && !selfClosing;
  return {
    name: known,
    closing,
    path,
    opens: mayOpen ? path : undefined,
    continues: /\scontinued\b/i.test(attributes),
    rest: line.slice(match[0].length),
  };
}

function pathIn(attributes: string): string | undefined {
  const [, double, single, bare] = PATH.exec(attributes) ?? [];
  return (double ?? single ?? bare)?.replace(/^\.\//, '');
}
