// Each takes a text with a selection and gives the new text with its selection: { text, start, end }.

/** Puts marks around the selection, or takes them away where they are. */
export function surround({ text, start, end }, mark) {
  const size = mark.length;
  const inside = text.slice(start, end);
  if (text.slice(start - size, start) === mark && text.slice(end, end + size) === mark) {
    return { text: text.slice(0, start - size) + inside + text.slice(end + size), start: start - size, end: end - size };
  }
  return { text: text.slice(0, start) + mark + inside + mark + text.slice(end), start: start + size, end: end + size };
}

/** Begins every selected line with a sign, or takes it away when all have it. */
export function beginLines({ text, start, end }, sign) {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const nextBreak = text.indexOf('\n', end);
  const to = nextBreak < 0 ? text.length : nextBreak;
  const lines = text.slice(from, to).split('\n');
  const have = lines.every((line) => line.startsWith(sign));
  const changed = lines.map((line) => (have ? line.slice(sign.length) : sign + line)).join('\n');
  return { text: text.slice(0, from) + changed + text.slice(to), start: from, end: from + changed.length };
}

/** Makes the selection a link and selects where its address goes. */
export function link({ text, start, end }) {
  const label = text.slice(start, end) || 'text';
  const address = 'https://';
  const at = start + label.length + 3;
  return { text: `${text.slice(0, start)}[${label}](${address})${text.slice(end)}`, start: at, end: at + address.length };
}
