const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether a text holds every word of a query, whatever the case and the accents. */
export function matches(text, query) {
  const words = plain(query).split(/\s+/).filter(Boolean);
  return words.every((word) => plain(text).includes(word));
}
