import { texts } from './texts.js';

/** The client of what visitors share. It is where the page is published: a copy on a disk has none. */
export const client = import('./.data/client.js');
client.catch(() => {});

/** Whether this browser is that of the owner, who opens the page from the console. */
export async function isOwner() {
  try {
    return (await (await client).me()).owner;
  } catch {
    return false;
  }
}

const SENTENCES = {
  full: texts.placesGone,
  duplicate: texts.sentTwice,
  invalid: texts.notValid,
  forbidden: texts.notAllowed,
  too_many: texts.tooMany,
};

/** Returns what to tell a visitor about an error of the client. */
export const sentenceFor = ({ code }) => SENTENCES[code] ?? texts.unreachable;
