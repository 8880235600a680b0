import { capitalize, titleOf } from '../../kit/phrases.ts';
import { POLL, readChoices, readQuestion } from '../../kit/polls.ts';
import type { Kind } from '../../kit/types.ts';

const NOUN = /poll|vote|umfrage|abstimmung|encuesta|votación|sondage|enquete|votação/i;

export const poll: Kind<'poll' | 'lede' | 'summary'> = {
  name: 'poll',
  layers: {
    auto: [
      'shared/page',
      'shared/texts',
      'shared/dom',
      'shared/article',
      'shared/storage',
      'shared/data',
      'poll/base',
    ],
    '5min': ['shared/offline'],
    '10min': ['shared/tests', 'poll/tests'],
  },
  data: { layers: [] },
  accent: '#4338ca',
  words: [
    ['enquete|polls?|vote|voting|votação|votación|abstimmung|umfrage|encuesta|sondage', 8],
    ['where (?:everyone|people|friends|colleagues) (?:can )?vote|abstimmen|votar|voter', 4],
  ],
  // Without data, nobody would count. Without options, it is a survey.
  fits: (brief) => brief.data !== undefined && POLL.test(brief.request) && readChoices(brief).length > 1,
  values(brief, texts) {
    const own = brief.data?.ownOrigins ?? false;
    const question = readQuestion(brief);
    const mark = brief.promptLang === 'fr' ? '\u00a0?' : '?';
    const title =
      brief.name ||
      (question && `${brief.promptLang === 'es' ? '¿' : ''}${question}${mark}`) ||
      titleOf(brief, NOUN, texts.poll);
    const options = readChoices(brief).map(capitalize);
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
      advice: 'Votes count once the page is deployed. Its owner reads and deletes them in the console.',
    };
  },
};
