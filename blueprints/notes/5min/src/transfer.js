import { join, split } from './collection.js';
import { chooseFiles, download } from './files.js';
import { create, find } from './notes.js';

const $ = (id) => document.getElementById(id);

/** Lets all notes leave as one Markdown file, and Markdown files come in. `changed(id)` opens a note. */
export function offerTransfer(changed) {
  $('export').addEventListener('click', () => download('notes.md', join(find().map(({ text }) => text)), 'text/markdown'));
  $('import').addEventListener('click', async () => {
    const texts = (await chooseFiles('.md,.markdown,.txt,text/markdown,text/plain', true)).flatMap(split);
    // The first one ends on top.
    const created = texts.toReversed().map((text) => create(text));
    if (created.length > 0) changed(created.at(-1).id);
  });
}
