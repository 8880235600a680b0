// Renders Markdown as DOM nodes, never as an HTML string, so that pasted HTML stays text.

const INLINE = [
  ['code', /`([^`]+)`/],
  ['strong', /\*\*(?=\S)([\s\S]+?)\*\*/],
  ['del', /~~(?=\S)([\s\S]+?)~~/],
  ['em', /(?:\*(?=\S)([\s\S]+?)\*|(?<!\w)_(?=\S)([\s\S]+?)_(?!\w))/],
  ['a', /\[([^\]]+)\]\(([^()\s]+)\)|<?(https?:\/\/[^\s<>)]+)>?/],
];
const SAFE_LINK = /^(?:https?:|mailto:|#|\.{0,2}\/|[\w-]+(?:[./#?]|$))/i;
const LIST_ITEM = /^\s{0,3}(?:[-*+]|\d{1,9}[.)])\s+(.*)$/;

function element(name, children = [], attributes = {}) {
  const node = Object.assign(document.createElement(name), attributes);
  node.append(...children);
  return node;
}

/** Returns the nodes of a text with emphasis, code and links. */
function inline(text) {
  const found = INLINE.map(([name, pattern]) => ({ name, match: pattern.exec(text) })).filter(({ match }) => match);
  if (found.length === 0) return text ? [text] : [];
  const { name, match } = found.reduce((a, b) => (b.match.index < a.match.index ? b : a));
  const before = text.slice(0, match.index);
  const after = text.slice(match.index + match[0].length);
  return [before, node(name, match), ...inline(after)].filter((part) => part !== '');
}

function node(name, [whole, first, second, bare]) {
  if (name === 'code') return element('code', [first]);
  if (name !== 'a') return element(name, inline(first ?? second));
  const href = second ?? bare;
  return SAFE_LINK.test(href) ? element('a', bare ? [bare] : inline(first), { href, rel: 'noopener' }) : whole;
}

function listItem(text) {
  const task = /^\[([ xX])\]\s+(.*)$/.exec(text);
  if (!task) return element('li', inline(text));
  const box = element('input', [], { type: 'checkbox', checked: task[1] !== ' ', disabled: true, ariaLabel: task[2] });
  return element('li', [box, ...inline(task[2])]);
}

// Each rule returns the block at the beginning of the lines and how many lines it takes, or null.
const BLOCKS = [
  (lines) => {
    if (!lines[0].startsWith('```')) return null;
    const end = lines.findIndex((line, index) => index > 0 && line.startsWith('```'));
    const last = end < 0 ? lines.length : end;
    return { taken: last + 1, block: element('pre', [element('code', [lines.slice(1, last).join('\n')])]) };
  },
  (lines) => {
    const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(lines[0]);
    return heading && { taken: 1, block: element(`h${heading[1].length}`, inline(heading[2])) };
  },
  (lines) => (/^\s*(?:[-*_]\s*){3,}$/.test(lines[0]) ? { taken: 1, block: element('hr') } : null),
  (lines) => {
    const quoted = run(lines, (line) => line.startsWith('>'));
    return quoted && { taken: quoted.length, block: element('blockquote', render(quoted.map((line) => line.replace(/^> ?/, '')).join('\n'))) };
  },
  (lines) => {
    const ordered = /^\s{0,3}\d/.test(lines[0]);
    const items = run(lines, (line) => LIST_ITEM.test(line) && /^\s{0,3}\d/.test(line) === ordered);
    return items && { taken: items.length, block: element(ordered ? 'ol' : 'ul', items.map((line) => listItem(LIST_ITEM.exec(line)[1]))) };
  },
  (lines) => {
    const paragraph = run(lines, (line, index) => line.trim() && !(index > 0 && /^(?:#{1,6}\s|```|>)/.test(line)) && !(index > 0 && LIST_ITEM.test(line)));
    return { taken: paragraph.length, block: element('p', inline(paragraph.join('\n'))) };
  },
];

/** Returns the leading lines for which `keeps` holds, or null when there are none. */
function run(lines, keeps) {
  const end = lines.findIndex((line, index) => !keeps(line, index));
  const taken = lines.slice(0, end < 0 ? undefined : end);
  return taken.length > 0 ? taken : null;
}

/** Returns the block elements of a Markdown text. */
export function render(text) {
  const blocks = [];
  let lines = text.replaceAll('\r\n', '\n').split('\n');
  while (lines.length > 0) {
    if (!lines[0].trim()) {
      lines = lines.slice(1);
      continue;
    }
    for (const rule of BLOCKS) {
      const found = rule(lines);
      if (!found) continue;
      blocks.push(found.block);
      lines = lines.slice(found.taken);
      break;
    }
  }
  return blocks;
}
