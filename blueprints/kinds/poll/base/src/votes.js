import { client } from './site-data.js';
/* #shared */
import { load, save } from './store.js';
/* /shared */

export const OPTIONS = '{{options}}';

const votes = client.then(({ collection }) => collection('votes'));
votes.catch(() => {});

/** Returns how many votes each option has. */
export const tally = async () => (await votes).tally();

/* #shared */
/** Returns the vote of this browser, which only the browser remembers. */
export const ownVote = async () => load('vote', undefined);

/** Sends the vote of this browser. */
export async function vote(choice) {
  await (await votes).create({ choice });
  save('vote', { choice });
}
/* /shared */
/* #ownOrigins */
/** Returns the vote of this visitor. */
export async function ownVote() {
  const { items } = await (await votes).list({ mine: true, limit: 1 });
  return items[0];
}

/** Votes, or changes the vote of this visitor. */
export async function vote(choice) {
  const own = await ownVote();
  if (own) await (await votes).update(own.id, { choice });
  else await (await votes).create({ choice });
}
/* /ownOrigins */
