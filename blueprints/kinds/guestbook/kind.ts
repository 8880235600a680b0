import { artwork } from '../../kit/artwork.ts';
import { pageLayers } from '../../kit/kinds.ts';
import { isSolemn, occasionIn } from '../../kit/occasions.ts';
import { titleOf, toTitle } from '../../kit/phrases.ts';
import type { Kind } from '../../kit/types.ts';

const BOOK = /guest ?book|gästebuch|libro de (?:visitas|firmas|huéspedes)|livre d['’]or|livro de visitas/i;

export const guestbook: Kind<'guestbook' | 'lede' | 'solemnLede' | 'summary'> = {
  name: 'guestbook',
  layers: pageLayers('guestbook', ['texts', 'dom', 'article', 'data'], 'guestbook/tests'),
  data: { layers: [] },
  accent: '#9a3412',
  words: [
    ["guest ?books?|gästebuch|libro de (?:visitas|firmas|huéspedes)|livre d['’]or|livro de visitas", 12],
    [
      '(?:message|wishes?|memory|condolence|shout) (?:wall|board|book)|wall of (?:messages|wishes|memories)|kondolenzbuch|muro de mensajes|mur de messages|mural de (?:mensagens|recados)',
      8,
    ],
    ['(?:leave|leaves|write|post) (?:a |their |your )?(?:messages?|wish(?:es)?|greetings?|comments?)', 3],
  ],
  // Without data, nobody would see what others write.
  fits: ({ data }) => data !== undefined,
  values(brief, texts) {
    const { data, text } = brief;
    const title = brief.name || toTitle(occasionIn(text), brief.promptLang) || titleOf(brief, BOOK, texts.guestbook);
    return {
      title,
      description: texts.summary.replace('{title}', () => title),
      greeting: isSolemn(brief) ? texts.solemnLede : texts.lede,
      declaration: {
        entries: {
          create: 'visitor',
          read: 'visitor',
          // On an origin of its own, the site knows who wrote an entry.
          ...(data?.ownOrigins ? { delete: 'author' } : {}),
          schema: {
            type: 'object',
            required: ['name', 'text'],
            properties: {
              name: { type: 'string', minLength: 1, maxLength: 60 },
              text: { type: 'string', minLength: 1, maxLength: 1_000 },
            },
          },
        },
      },
      tiles: artwork(title, 6, 2),
      icon: 'M6 5h16a4 4 0 0 1 4 4v18H10a4 4 0 0 1-4-4zM11 12h10M11 17h7',
      sources: [
        { path: '_data.json', contents: 'what visitors may write, and who may read and delete it' },
        { path: 'guestbook.css', contents: 'the styles of the guestbook' },
        { path: 'src/entries.js', contents: 'which entries the page shows' },
        { path: 'src/main.js', contents: 'shows the entries and sends new ones' },
        { path: 'src/site-data.js', contents: 'loads the client of the data' },
        { path: 'src/texts.js', contents: 'the texts of the page' },
      ],
      advice:
        'Entries are shared once the page is deployed. Its owner deletes them in the console; open the page from there to delete them in the page as well.',
    };
  },
};
