// Pages of one host share their storage, so every key starts with the path of this project.
const prefix = new URL('..', import.meta.url).pathname;

/** Returns the stored value, or `fallback` when there is none or storage is not available. */
export function load(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(prefix + name)) ?? fallback;
  } catch {
    return fallback;
  }
}

/** Stores a JSON value. When storage is full or not available, the value is lost on reload. */
export function save(name, value) {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // The page still works until it is closed.
  }
}
