/* #from10min */
import { keepAnswer } from './answers.js';

/* /from10min */
/**
 * Delivers what was filled in, an object of names and values. It keeps everything on the page for now:
 * put a `fetch` to your own server here, and throw when the server refuses.
 */
export async function send(values) {
  /* #from10min */
  keepAnswer(values);
  /* /from10min */
  return values;
}
