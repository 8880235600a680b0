import { load, save } from './store.js';

/** The columns, from left to right. */
export const columns = '{{columns}}';

/** The cards of a new board, each with the index of its column. */
const firstCards = '{{cards}}';

let cards = load(
  'cards',
  firstCards.map((card, index) => ({ id: `first-${index}`, ...card })),
);

function keep(next) {
  cards = next;
  save('cards', cards);
}

/** Returns the cards of a column, from top to bottom. Cards of a removed column are in the last one. */
export const inColumn = (column) => cards.filter((card) => Math.min(card.column, columns.length - 1) === column);

export const get = (id) => cards.find((card) => card.id === id);

export const add = (column, text) =>
  keep([...cards, { id: `${Date.now().toString(36)}-${cards.length}`, column, text }]);

export const remove = (id) => keep(cards.filter((card) => card.id !== id));

export const rename = (id, text) => keep(cards.map((card) => (card.id === id ? { ...card, text } : card)));

/** Moves a card into a column: above the card `before`, or to the end. */
export function move(id, column, before) {
  if (id === before) return;
  const others = cards.filter((card) => card.id !== id);
  const at = others.findIndex((card) => card.id === before);
  keep(others.toSpliced(at < 0 ? others.length : at, 0, { ...get(id), column }));
}
