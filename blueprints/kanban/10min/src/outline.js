/** The board as Markdown: a heading for each column, a line for each card. */
export const toMarkdown = (columns) =>
  columns.map(({ name, texts }) => `## ${name}\n\n${texts.map((text) => `- ${text}\n`).join('')}`).join('\n');

/** The cards of a Markdown text as `{ name, text }`: each line of a list, with the heading above it. */
export function fromMarkdown(markdown) {
  let name = '';
  return markdown.split(/\r?\n/).flatMap((line) => {
    const heading = /^#{1,6}\s+(.+?)\s*#*$/.exec(line);
    if (heading) name = heading[1];
    const card = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$/.exec(line);
    return card ? [{ name, text: card[1].trim() }] : [];
  });
}
