/**
 * Delivers what was filled in, an object of names and values. It keeps everything on the page for now:
 * replace the body by a `fetch` to your own server, and throw when the server refuses.
 */
export async function send(values) {
  return values;
}
