const LENGTH = 20;

/** Returns lines that show how much of a list is done. */
export function summary(entries) {
  const done = entries.filter((entry) => entry.done).length;
  const share = entries.length > 0 ? done / entries.length : 0;
  const filled = Math.round(share * LENGTH);
  return [
    `${entries.length} in all, ${entries.length - done} open, ${done} done`,
    `${'█'.repeat(filled)}${'░'.repeat(LENGTH - filled)} ${Math.round(share * 100)} %`,
  ];
}
