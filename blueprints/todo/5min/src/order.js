/** The list with one entry moved to stand directly before or after another; both given by their ids. */
export function moveBeside(entries, id, other, side) {
  const moved = entries.find((entry) => entry.id === id);
  const rest = entries.filter((entry) => entry !== moved);
  const at = rest.findIndex((entry) => entry.id === other);
  if (!moved || at < 0) return entries;
  return rest.toSpliced(side === 'after' ? at + 1 : at, 0, moved);
}

/** The list with one entry moved by a step among those that are shown: -1 up, 1 down. */
export function moveBy(entries, id, step, isShown) {
  const shown = entries.filter(isShown);
  const other = shown[shown.findIndex((entry) => entry.id === id) + step];
  return other ? moveBeside(entries, id, other.id, step > 0 ? 'after' : 'before') : entries;
}
