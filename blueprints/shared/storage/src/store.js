// Pages of one host share their storage, so every key starts with the place of this project.
export const prefix = new URL('..', import.meta.url).pathname;

/** The value stored under a name, or `fallback` when there is none or storage is refused. */
export function load(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(prefix + name)) ?? fallback;
  } catch {
    return fallback;
  }
}

/** Stores a JSON value. Where storage is refused or full, the page simply forgets on reload. */
export function save(name, value) {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // Nothing is lost that is on the page.
  }
}
