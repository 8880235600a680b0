import { readEntries, readList } from '../../kit/lists.ts';
import { capitalize, titleOf } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

const LABELS =
  'items?|entries|tasks?|to-?dos?|todos|chores|groceries|things|list|(?:shopping|grocery|packing|bucket|to-?do) list|liste|aufgaben|einkaufsliste|tâches|tareas|tarefas|itens|artículos|articles|lista';

const SHOPPING = /shopping|grocer|einkauf|courses|compra/i;
const PACKING = /packing|travel|trip|packliste|equipaje|maleta|voyage|bagage|bagagem|viagem/i;

type Text =
  | `${'toDo' | 'shopping' | 'packing'}List`
  | `${'task' | 'shopping' | 'packing'}Entries`
  | `${'new' | 'add'}${'Task' | 'Item'}`
  | 'describes';

/** Returns the name of the list that a prompt asks for, and the entries of a sample. */
function listOf(request: string, texts: Readonly<Record<Text, string>>): [name: string, entries: string] {
  if (SHOPPING.test(request)) return [texts.shoppingList, texts.shoppingEntries];
  if (PACKING.test(request)) return [texts.packingList, texts.packingEntries];
  return [texts.toDoList, texts.taskEntries];
}

export const todo: Kind<Text> = {
  name: 'todo',
  layers: {
    auto: ['shared/page', 'shared/storage', 'shared/texts', 'todo/base'],
    '5min': ['shared/offline', 'shared/tests', 'todo/5min'],
    '10min': ['todo/10min'],
  },
  accent: '#3556c9',
  words: [
    ['to[- ]?dos?|to[- ]?do[- ]?(?:lists?|lsit|app)', 5],
    ['(?:shopping|grocery|packing|bucket|wish|task|check|chore|reading)[- ]?lists?', 5],
    ['task (?:manager|tracker|app|planner)|habit tracker|reminders?', 4],
    [
      '(?:aufgaben|einkaufs|to-?do-|pack|check|wunsch)-?liste|liste (?:des?|à) (?:tâches|courses|choses à faire|faire|voyage)|lista de (?:tareas|tarefas|compras?|la compra|verificação|afazeres)',
      5,
    ],
    ['tasks?|chores|aufgaben|tâches|tareas|tarefas|groceries', 3],
    ['(?:list|lista)e?(?= [^:.,]{1,40} ?:)', 4],
    ['(?:list|liste|lista)(?=:| with (?:items|entries)| mit)|^(?:my |simple )?lists?', 3],
    [
      'what i (?:have|need) to do|tick (?:it|them|things) off|things to do|packing|(?:lo|o) que (?:tengo|preciso)|listas? de afazeres|einkäufe|erledigen|cosas pendientes',
      3,
    ],
  ],
  values(brief: Brief, texts) {
    const listed = readList(brief.text, LABELS);
    const entries = (listed.length > 0 ? listed : readEntries(brief.text)).map(capitalize);
    const [list, starters] = listOf(brief.request, texts);
    const title = titleOf(brief, /list|task|tracker|planner|tareas|tarefas|tâches|aufgaben/i, list);
    const isTasks = list === texts.toDoList;
    return {
      title,
      description: `${title}: ${texts.describes}`,
      newEntry: isTasks ? texts.newTask : texts.newItem,
      addEntry: isTasks ? texts.addTask : texts.addItem,
      // The first entries explain the page if the prompt names none.
      entries: entries.length > 0 ? entries : starters.split('; '),
    };
  },
};
