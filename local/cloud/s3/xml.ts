/** An element: its name, and its text or its children. */
export type Element = readonly [name: string, content: string | number | readonly Element[]];

/** An XML document of S3's API, its root in S3's namespace unless it is an error. */
export function xmlDocument(root: Element): string {
  const [name, content] = root;
  const namespace = name === 'Error' ? '' : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name}${namespace}>${inner(content)}</${name}>`;
}

function inner(content: Element[1]): string {
  if (typeof content !== 'object') return escapeText(String(content));
  return content.map(([name, child]) => `<${name}>${inner(child)}</${name}>`).join('');
}

function escapeText(text: string): string {
  // A literal carriage return would reach the reader as a line feed.
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };
  return text.replace(/[&<>\r]/g, (character) => entities[character] ?? character);
}
