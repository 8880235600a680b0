import { readList } from '../kit/lists.ts';
import { titleOf, toTitle } from '../kit/phrases.ts';
import type { Brief, Kind } from '../kit/types.ts';

const COLUMNS = ['To do', 'Doing', 'Done'];
const MAX_COLUMNS = 7;

export const kanban: Kind = {
  name: 'kanban',
  layers: {
    auto: ['shared/page', 'shared/storage', 'kanban/base'],
    '5min': ['shared/tests', 'kanban/5min'],
    '10min': ['shared/files', 'shared/options', 'shared/docs', 'kanban/10min'],
  },
  accent: '#0f766e',
  words: [
    ['kanban(?:[- ]?boards?)?|trello', 7],
    ['(?:task|project|scrum|sprint|agile|planning|story)[- ]?boards?|tablero|aufgabentafel', 6],
    ['boards? with columns|columns? (?:for|like|such as)|drag[- ]and[- ]drop cards', 4],
  ],
  values(brief: Brief) {
    const listed = readList(brief.text, 'columns?|lists?|lanes?|stages?|spalten|columnas|colonnes').slice(
      0,
      MAX_COLUMNS,
    );
    const columns =
      listed.length > 1
        ? listed.map((name) => name.replace(/^\p{Ll}/u, (first) => first.toUpperCase()))
        : COLUMNS;
    const tasks = readList(brief.text, 'cards?|tasks?|items?|tickets?|aufgaben|tareas');
    const last = columns.length - 1;
    const cards =
      tasks.length > 0
        ? tasks.map((text) => ({ column: 0, text: toTitle(text) || text }))
        : [
            { column: 0, text: 'Drag this card to the next column' },
            { column: 0, text: 'Or press it, and choose a column' },
            { column: Math.min(1, last), text: 'Look around' },
            { column: last, text: 'Open the board' },
          ];
    const title = titleOf(brief, /board|kanban|tablero/i, 'Kanban Board');
    return {
      title,
      description: `${title}: cards in ${columns.length} columns, moved by hand or from the keyboard.`,
      columns,
      cards,
    };
  },
};
