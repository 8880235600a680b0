import type { AwsReply } from './aws-http.ts';

/** An element with its text, or with its elements in the order sent. */
type Element = readonly [name: string, content: string | readonly Element[]];

/** An element to write: numbers and flags become text, and undefined ones are left out. */
export type Written = readonly [name: string, content: string | number | boolean | undefined | readonly Written[]];

/** Returns an element as text. @param namespace of its name */
export function writeXml([name, content]: Written, namespace?: string): string {
  if (content === undefined) return '';
  const attribute = namespace === undefined ? '' : ` xmlns="${namespace}"`;
  const inner = typeof content === 'object' ? content.map((one) => writeXml(one)).join('') : escapeXml(String(content));
  return `<${name}${attribute}>${inner}</${name}>`;
}

function escapeXml(text: string): string {
  // XML parsers convert a literal carriage return to a line feed.
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };
  return text.replace(/[&<>\r]/g, (character) => entities[character] ?? character);
}

function unescapeXml(text: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(?:#x?([0-9a-f]+)|(lt|gt|quot|apos|amp));/gi, (all, code: string, name: string) =>
    code === undefined
      ? (entities[name] ?? '')
      : String.fromCodePoint(Number.parseInt(code, all.includes('x') ? 16 : 10)),
  );
}

const TOKEN = /<\?[^>]*\?>|<(\/?)([A-Za-z][\w.-]*)[^<>]*?(\/?)>|([^<]+)/g;

/** Parses a document without mixed content, comments or sections. @throws Error if it is not well-formed */
export function parseXml(document: string): Element {
  const root: Open = { name: '', children: [], text: '' };
  const open = [root];
  for (const [token, closing, name = '', empty, text] of document.matchAll(TOKEN)) {
    const current = open.at(-1) ?? root;
    if (token.startsWith('<?')) continue;
    if (text !== undefined) current.text += unescapeXml(text);
    else if (closing) end(open, name);
    else if (empty) current.children.push([name, '']);
    else open.push({ name, children: [], text: '' });
  }
  const [only] = root.children;
  if (only === undefined || open.length !== 1) throw new Error('The document is not well-formed XML');
  return only;
}

interface Open {
  readonly name: string;
  readonly children: Element[];
  text: string;
}

function end(open: Open[], name: string): void {
  const element = open.pop();
  const parent = open.at(-1);
  if (element?.name !== name || parent === undefined) throw new Error(`Unexpected end of ${name}`);
  parent.children.push([name, element.children.length > 0 ? element.children : element.text]);
}

/** Returns the content as an object. Elements in `lists` become arrays of their elements, whatever these are called. */
export function toObject(content: Element[1], lists: readonly string[]): unknown {
  if (typeof content === 'string') return content;
  const entries = content.map(([name, value]) => {
    const isList = lists.includes(name);
    const items = isList && typeof value !== 'string' ? value : [];
    return [name, isList ? items.map(([, item]) => toObject(item, lists)) : toObject(value, lists)] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns a reply in the protocol of CloudFront's API. */
export function xmlReply(status: number, body?: Written, headers: Readonly<Record<string, string>> = {}): AwsReply {
  return {
    status,
    headers: { 'content-type': 'text/xml', ...headers },
    body: body ? writeXml(body) : '',
  };
}
