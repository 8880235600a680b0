import { readList } from '../kit/lists.ts';
import { capitalize, titleOf, toTitle } from '../kit/phrases.ts';
import type { Brief, Kind } from '../kit/types.ts';

const COLUMNS = ['To do', 'Doing', 'Done'];
const MAX_COLUMNS = 7;

export const kanban: Kind = {
  name: 'kanban',
  layers: {
    auto: ['shared/page', 'shared/storage', 'kanban/base'],
    '5min': ['shared/offline'],
    '10min': ['shared/tests', 'kanban/tests'],
  },
  accent: '#0f766e',
  words: [
    ['kanban(?:[- ]?boards?)?|trello', 7],
    [
      '(?:task|project|scrum|sprint|agile|planning|story)[- ]?boards?|tablero (?:de|para) (?:tareas|proyecto)|tablero|aufgabentafel|quadro (?:de tarefas|kanban)|tableau (?:de tâches|kanban)',
      6,
    ],
    ['boards? with columns|columns? (?:for|like|such as)|drag[- ](?:and|&|n)[- ]drop (?:cards|board)', 4],
  ],
  values(brief: Brief) {
    const listed = readList(brief.text, 'columns?|lists?|lanes?|stages?|spalten|columnas|colonnes').slice(
      0,
      MAX_COLUMNS,
    );
    const columns = listed.length > 1 ? listed.map(capitalize) : COLUMNS;
    const tasks = readList(brief.text, 'cards?|tasks?|items?|tickets?|aufgaben|tareas');
    const last = columns.length - 1;
    const cards =
      tasks.length > 0
        ? tasks.map((text) => ({ column: 0, text: toTitle(text) || text }))
        : [
            { column: 0, text: 'Drag this card to the next column' },
            { column: 0, text: 'Or click it and choose a column' },
            { column: Math.min(1, last), text: 'Look around' },
            { column: last, text: 'Open the board' },
          ];
    const title = titleOf(brief, /board|kanban|tablero/i, 'Kanban Board');
    return {
      title,
      description: `${title}: cards in ${columns.length} columns, moved by mouse, touch or keyboard.`,
      columns,
      cards,
    };
  },
};
