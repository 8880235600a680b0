import { find } from './notes.js';
import { countTags } from './tags.js';

const $ = (id) => document.getElementById(id);
const MOST = 12;

/** Draws a button for each tag that notes have; it searches for the tag, and a second press stops that. */
export function showTags() {
  const searched = $('search').value.trim().toLowerCase();
  const tags = countTags(find().map(({ text }) => text)).slice(0, MOST);
  $('tags').hidden = tags.length === 0;
  $('tags').replaceChildren(
    ...tags.map(([tag, count]) => {
      const button = Object.assign(document.createElement('button'), { type: 'button', value: tag, textContent: `#${tag}` });
      const pressed = searched === `#${tag}`;
      button.title = `${count} ${count === 1 ? 'note' : 'notes'}`;
      button.setAttribute('aria-pressed', String(pressed));
      button.addEventListener('click', () => {
        $('search').value = pressed ? '' : `#${tag}`;
        $('search').dispatchEvent(new Event('input'));
        $('tags').querySelector(`[value="${CSS.escape(tag)}"]`)?.focus();
      });
      return button;
    }),
  );
}
