import { client /* #ownOrigins */, isOwner /* /ownOrigins */ } from './site-data.js';

export { sentenceFor } from './site-data.js';

const MOST = 100;

const answers = client.then(({ collection }) => collection('answers'));
answers.catch(() => {});

/* #ownOrigins */
/** Returns the answers of this visitor, or those of all for the owner of the page. */
export async function readAnswers() {
  const { items } = await (await answers).list({ limit: MOST, mine: !(await isOwner()) });
  return items;
}
/* /ownOrigins */
/* #isShared */
/** Only the owner of the page reads answers, in the console. */
export const readAnswers = async () => [];
/* /isShared */

/** Sends an answer to the owner of the page; an empty note is none. */
export const addAnswer = async ({ note, ...answer }) =>
  (await answers).create(note.trim() ? { ...answer, note: note.trim() } : answer);

export const removeAnswer = async ({ id }) => (await answers).delete(id);
