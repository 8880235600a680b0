/** Returns the list with one entry moved directly before or after another; both are given by id. */
export function moveBeside(entries, id, other, side) {
  const moved = entries.find((entry) => entry.id === id);
  const rest = entries.filter((entry) => entry !== moved);
  const at = rest.findIndex((entry) => entry.id === other);
  if (!moved || at < 0) return entries;
  return rest.toSpliced(side === 'after' ? at + 1 : at, 0, moved);
}

/** Returns the list with one entry moved past the next shown one: a step of -1 moves up, 1 down. */
export function moveBy(entries, id, step, isShown) {
  const shown = entries.filter(isShown);
  const other = shown[shown.findIndex((entry) => entry.id === id) + step];
  return other ? moveBeside(entries, id, other.id, step > 0 ? 'after' : 'before') : entries;
}
