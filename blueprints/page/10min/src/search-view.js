import { placesOf } from './search.js';

const $ = (id) => document.getElementById(id);

/** Searches an element as the visitor types: marks what is found, and goes through it with Enter. */
export function offerSearch(root) {
  let found = [];
  let current = -1;

  function clear() {
    for (const mark of root.querySelectorAll('mark')) mark.replaceWith(...mark.childNodes);
    root.normalize();
  }

  function search() {
    clear();
    const query = $('search').value;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    found = texts.flatMap((node) => markPlaces(node, placesOf(query, node.data)));
    current = -1;
    $('found').textContent = query.trim() ? `${found.length} found` : '';
  }

  function goTo(index) {
    if (found.length === 0) return;
    found[current]?.classList.remove('current');
    current = (index + found.length) % found.length;
    found[current].classList.add('current');
    found[current].scrollIntoView({ block: 'center' });
    $('found').textContent = `${current + 1} of ${found.length}`;
  }

  $('search').addEventListener('input', search);
  $('search').addEventListener('keydown', (event) => {
    if (event.key === 'Enter') goTo(current + (event.shiftKey ? -1 : 1));
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, dialog')) return;
    event.preventDefault();
    $('search').focus();
  });
}

/** Wraps places of a text node in marks, from the last to the first so that the earlier ones stay where they are. */
function markPlaces(node, places) {
  return places
    .toReversed()
    .map(([start, end]) => {
      const range = new Range();
      range.setStart(node, start);
      range.setEnd(node, end);
      const mark = document.createElement('mark');
      range.surroundContents(mark);
      return mark;
    })
    .toReversed();
}
