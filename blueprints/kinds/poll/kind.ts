import { pageLayers } from '../../kit/kinds.ts';
import { titleOf } from '../../kit/phrases.ts';
import { POLL, readChoices, readQuestion } from '../../kit/polls.ts';
import type { Kind } from '../../kit/types.ts';

const NOUN = /poll|vote|umfrage|abstimmung|encuesta|votación|sondage|enquete|votação/i;

export const poll: Kind<'poll' | 'lede' | 'summary'> = {
  name: 'poll',
  layers: pageLayers('poll', ['texts', 'dom', 'article', 'storage', 'data'], 'poll/tests'),
  data: { layers: [] },
  accent: '#4338ca',
  words: [
    ['enquete|polls?|vote|voting|votação|votación|abstimmung|umfrage|encuesta|sondage', 8],
    ['where (?:everyone|people|friends|colleagues) (?:can )?vote|abstimmen|votar|voter', 4],
  ],
  // Without data, nobody would count.
  fits: (brief) => brief.data !== undefined && POLL.test(brief.request) && readChoices(brief).options.length > 1,
  values(brief, texts) {
    const own = brief.data?.ownOrigins ?? false;
    const title = brief.name || readQuestion(brief) || titleOf(brief, NOUN, texts.poll);
    const { options, areExamples } = readChoices(brief);
    return {
      title,
      description: texts.summary.replace('{title}', () => title),
      lede: texts.lede,
      options,
      choices: options.map((option) => ({ option })),
      shared: !own,
      declaration: {
        votes: {
          create: 'visitor',
          count: 'visitor',
          // On an origin of its own, the site knows who has voted, and lets them vote for something else.
          ...(own ? { read: 'author', update: 'author', unique: 'visitor' } : {}),
          tally: 'choice',
          schema: {
            type: 'object',
            required: ['choice'],
            properties: { choice: { type: 'string', enum: options } },
          },
        },
      },
      icon: 'M7 25V15M16 25V7M25 25v-6',
      sources: [
        { path: '_data.json', contents: 'the options, and that each visitor votes once' },
        { path: 'poll.css', contents: 'the styles of the poll' },
        { path: 'src/votes.js', contents: 'reads and sends votes' },
        { path: 'src/shares.js', contents: 'what part of the votes each option has' },
        { path: 'src/main.js', contents: 'shows the options and the result' },
        { path: 'src/site-data.js', contents: 'loads the client of the data' },
        { path: 'src/store.js', contents: 'remembers in the browser that it has voted' },
        { path: 'src/texts.js', contents: 'the texts of the page' },
      ],
      advice: `Votes count once the page is deployed. Its owner reads and deletes them in the console.${areExamples ? ' The options are examples: change them in `index.html`, `src/votes.js` and `_data.json`.' : ''}`,
    };
  },
};
