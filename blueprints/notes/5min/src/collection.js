// Many notes in one Markdown file. Other programs do not show a comment, so the file reads well everywhere.
const SEPARATOR = '<!-- next note -->';

/** Notes as one text. */
export const join = (texts) => texts.map((text) => text.trimEnd()).join(`\n\n${SEPARATOR}\n\n`).concat('\n');

/** The notes of a text: one, when it was not written by `join`. */
export const split = (text) =>
  text
    .replaceAll('\r\n', '\n')
    .split(SEPARATOR)
    .map((note) => note.trim())
    .filter(Boolean);
