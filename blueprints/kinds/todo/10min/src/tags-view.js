import { all } from './entries.js';
import { countTags, tagsOf } from './tags.js';

const $ = (id) => document.getElementById(id);
let chosen = '';

/** Returns whether an entry has the chosen tag; always true while none is chosen. */
export const hasChosenTag = ({ text }) => !chosen || tagsOf(text).includes(chosen);

/** Draws a button for each tag of the list; `changed` is called when another one is chosen. */
export function showTags(changed) {
  const tags = countTags(all());
  if (!tags.some(([tag]) => tag === chosen)) chosen = '';
  $('tags').hidden = tags.length === 0;
  $('tags').replaceChildren(
    ...tags.map(([tag, open]) => {
      const button = Object.assign(document.createElement('button'), { type: 'button', value: tag });
      button.append(`#${tag} `, Object.assign(document.createElement('span'), { textContent: open }));
      button.setAttribute('aria-pressed', String(tag === chosen));
      button.addEventListener('click', () => {
        chosen = tag === chosen ? '' : tag;
        changed();
        $('tags').querySelector(`[value="${CSS.escape(tag)}"]`)?.focus();
      });
      return button;
    }),
  );
}
