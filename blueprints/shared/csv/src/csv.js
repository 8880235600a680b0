// Comma-separated values (RFC 4180), which every spreadsheet reads.

// A spreadsheet would execute a cell that begins like a formula: an apostrophe makes it text.
const harmless = (text) => (/^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text);

function cell(value) {
  const text = harmless(String(value ?? ''));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns rows of values as CSV. */
export const toCsv = (rows) => rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/** Parses CSV into rows of texts. The separator is a semicolon when the first line has at least as many of them as commas. */
export function parseCsv(text) {
  const [first] = text.split('\n', 1);
  const separator = first.includes(';') && first.split(';').length >= first.split(',').length ? ';' : ',';
  const rows = [['']];
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    const row = rows.at(-1);
    if (quoted && char === '"' && text[at + 1] === '"') row[row.length - 1] += text[++at];
    else if (char === '"') quoted = !quoted;
    else if (!quoted && char === separator) row.push('');
    else if (!quoted && char === '\n') rows.push(['']);
    else if (quoted || char !== '\r') row[row.length - 1] += char;
  }
  return rows.filter((row) => row.some((value) => value.trim() !== ''));
}
