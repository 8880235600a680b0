// `storage` is localStorage or anything like it; `prefix` begins every key of this project.

const namesOf = (storage, prefix) => Object.keys(storage).filter((name) => name.startsWith(prefix));

/** Everything that this project has stored, as a JSON text. */
export function backUp(storage, prefix) {
  const entries = namesOf(storage, prefix).map((name) => [name.slice(prefix.length), storage.getItem(name)]);
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}

export function erase(storage, prefix) {
  for (const name of namesOf(storage, prefix)) storage.removeItem(name);
}

/** Puts a backup in the place of what is stored. Throws SyntaxError, before it changes anything, when it is none. */
export function restore(storage, prefix, text) {
  const backup = JSON.parse(text);
  const isBackup = backup !== null && typeof backup === 'object' && Object.values(backup).every((value) => typeof value === 'string');
  if (!isBackup || Array.isArray(backup)) throw new SyntaxError('not a backup of this page');
  erase(storage, prefix);
  for (const [name, value] of Object.entries(backup)) storage.setItem(prefix + name, value);
}
