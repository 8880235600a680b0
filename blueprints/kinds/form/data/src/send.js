import { client, sentenceFor } from './site-data.js';
import { fields } from './rules.js';

/** What was sent; only the owner of the page may read it. */
export const entries = client.then(({ collection }) => collection('{{collection}}'));
entries.catch(() => {});

/* #hasPlaces */
const PLACES = '{{places}}';

/** Returns how many places are left; undefined if that cannot be known. */
export async function placesLeft() {
  try {
    return Math.max(0, PLACES - (await (await entries).count()));
  } catch {
    return undefined;
  }
}
/* /hasPlaces */

/** A field that was left empty is not part of what is sent, and numbers are numbers. */
function itemOf(values) {
  const filled = fields.filter(({ name }) => values[name]?.trim());
  return Object.fromEntries(
    filled.map(({ name, type }) => [name, type === 'number' ? Number(values[name]) : values[name].trim()]),
  );
}

/** Sends the values, an object with a property for each field, and returns them. An error has a `sentence` for the visitor. */
export async function send(values) {
  try {
    await (await entries).create(itemOf(values));
    return values;
  } catch (error) {
    throw Object.assign(error, { sentence: sentenceFor(error) });
  }
}
