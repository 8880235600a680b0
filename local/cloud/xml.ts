import type { AwsReply } from './aws-http.ts';

/** Returns a reply in the protocol of CloudFront's API. */
export function xml(status: number, body: string, headers: Readonly<Record<string, string>> = {}): AwsReply {
  return { status, headers: { 'content-type': 'text/xml', ...headers }, body };
}

export function failure(status: number, code: string, message: string): AwsReply {
  const error = `<Type>Sender</Type><Code>${code}</Code><Message>${escapeXml(message)}</Message>`;
  return xml(status, `<ErrorResponse><Error>${error}</Error></ErrorResponse>`);
}

/** Returns the texts of all elements of a name that have no children. */
export function textsOf(body: string, name: string): string[] {
  return [...body.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    unescapeXml(text),
  );
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function unescapeXml(text: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(?:#x?([0-9a-f]+)|(lt|gt|quot|apos|amp));/gi, (all, code: string, name: string) =>
    code === undefined
      ? (entities[name] ?? '')
      : String.fromCodePoint(Number.parseInt(code, all.includes('x') ? 16 : 10)),
  );
}

/** The content of an element: its text, or its elements with their names in the order sent. */
type XmlContent = string | readonly (readonly [name: string, content: XmlContent])[];

const TOKEN = /<\?[^>]*\?>|<(\/?)([A-Za-z][\w.-]*)[^<>]*?(\/?)>|([^<]+)/g;

/** Parses a document without mixed content, comments or sections. @throws Error if it is not well-formed */
export function parseXml(document: string): readonly [name: string, content: XmlContent] {
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
  readonly children: (readonly [string, XmlContent])[];
  text: string;
}

function end(open: Open[], name: string): void {
  const element = open.pop();
  const parent = open.at(-1);
  if (element?.name !== name || parent === undefined) throw new Error(`Unexpected end of ${name}`);
  parent.children.push([name, element.children.length > 0 ? element.children : element.text]);
}

/** Returns the content as an object. Elements in `lists` become arrays of their elements, whatever these are called. */
export function toObject(content: XmlContent, lists: readonly string[]): unknown {
  if (typeof content === 'string') return content;
  const entries = content.map(([name, value]) => {
    const isList = lists.includes(name);
    const items = isList && typeof value !== 'string' ? value : [];
    return [name, isList ? items.map(([, item]) => toObject(item, lists)) : toObject(value, lists)] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns an element with escaped text or with elements; nothing for an undefined value. */
export function element(name: string, value: string | readonly string[] | undefined): string {
  if (value === undefined) return '';
  const content = typeof value === 'string' ? escapeXml(value) : value.join('');
  return `<${name}>${content}</${name}>`;
}
