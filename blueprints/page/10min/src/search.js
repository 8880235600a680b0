const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * Where a query stands in a text, as [start, end] of each place. Upper and lower case are the same, and “é” is found
 * by “e”: a letter is compared without its accents, one by one, so that the places are right.
 */
export function placesOf(query, text) {
  const wanted = Array.from(plain(query.trim()));
  if (wanted.length === 0) return [];
  const letters = Array.from(text);
  const starts = letters.reduce((all, letter) => [...all, all.at(-1) + letter.length], [0]);
  const compared = letters.map(plain);
  const places = [];
  for (let at = 0; at + wanted.length <= compared.length; at++) {
    if (!wanted.every((letter, index) => compared[at + index] === letter)) continue;
    places.push([starts[at], starts[at + wanted.length]]);
    at += wanted.length - 1;
  }
  return places;
}
