/** An element: its name, and its text or its children. */
export type Element = readonly [name: string, content: string | number | readonly Element[]];

/** Returns an XML document of the S3 API. Its root is in S3's namespace, except for an error. */
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
  // XML parsers convert a literal carriage return to a line feed.
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };
  return text.replace(/[&<>\r]/g, (character) => entities[character] ?? character);
}
