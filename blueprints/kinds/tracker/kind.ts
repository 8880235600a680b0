import { readCurrency } from '../../kit/currency.ts';
import { pageLayers } from '../../kit/kinds.ts';
import { isFeature, readEntries, readList } from '../../kit/lists.ts';
import { capitalize, titleOf } from '../../kit/phrases.ts';
import type { Brief, Kind, Value } from '../../kit/types.ts';

const TITLE =
  /track|log|diary|journal|record|budget|counter|expense|habit|tagebuch|buch|tracker|protokoll|ausgaben|gewohnheit|registro|diario|gastos|hábitos|suivi|journal|carnet|dépenses|habitudes|controle|diário|despesas|presupuesto|orçamento|haushalt/i;

/** What can be tracked, with its title; the first that fits. A workout has a weight too, so it comes before that of a person. */
const VARIANTS = {
  habits: [/habit|streak|gewohnheit|hábito/i, 'habitsTitle'],
  expenses: [
    /expens|spen[dt]|budget|money|\bcosts?\b|ausgabe|haushalts|kosten|\bgeld|gasto|dinero|presupuesto|dépens|argent|despesa|dinheiro|orçamento/i,
    'expensesTitle',
  ],
  workouts: [
    /work-?out|\bgym\b|exercis|fitness|training|\bruns?\b|running|ejercicio|entrenam|entraîn|exercice|treino/i,
    'workoutsTitle',
  ],
  water: [/water|hydrat|wasser|\bagua\b|\beau\b|água/i, 'waterTitle'],
  weight: [/weight|gewicht|\bpeso\b|poids/i, 'weightTitle'],
  reading: [
    /read|books?|lesen|bücher|lese|lectura|leer|libros|lecture|\blire\b|livres|leitura|\bler\b|livros/i,
    'readingTitle',
  ],
  sleep: [/sleep|schlaf|sueño|dormir|sommeil|\bsono\b/i, 'sleepTitle'],
  other: [/^/, 'otherTitle'],
} as const;
type Variant = keyof typeof VARIANTS;

/** Returns the first variant that the head of a prompt names, else the first that the rest does. */
function variantOf({ head, request }: Brief): Variant {
  const matching = (text: string) => (Object.keys(VARIANTS) as Variant[]).find((name) => VARIANTS[name][0].test(text));
  const inHead = matching(head) ?? 'other';
  return inHead === 'other' ? (matching(request) ?? 'other') : inHead;
}

const FIELDS = 'gym|log|tracker|diary|journal|tagebuch|registro|diario|fields|columns|felder|spalten|campos|champs';
const CATEGORIES =
  'categor(?:y|ies)|kategorien?|categorías?|catégories?|categorias?|expenses?|ausgaben|gastos|dépenses|despesas|tracker|types?|arten|tipos';
const HABITS = 'habits?|habit tracker|streaks?|gewohnheiten|hábitos|habitudes|tracker';
const NUMBERS =
  /^(?:sets?|reps?|sätze|wiederholungen|series|repeticiones|séries|répétitions|repetições|weight|gewicht|peso|poids|kg|lbs?|min|minut|duration|dauer|dur|distan|km|miles|hours|stunden|horas|heures|calor|kalor|amount|pages|seiten|páginas)/i;

interface Field {
  readonly type: 'number' | 'text' | 'choice';
  readonly label: string;
  readonly options?: readonly string[];
}
type Texts = Readonly<Record<string, string>>;

const number = (label = ''): Field => ({ type: 'number', label });
const text = (label = ''): Field => ({ type: 'text', label });
const choice = (label = '', options: readonly string[] = []): Field => ({ type: 'choice', label, options });

/** Returns the fields of an entry beside its date: those that the prompt lists, else the usual ones of the variant. */
function fieldsOf(variant: Variant, brief: Brief, texts: Texts): readonly Field[] {
  const note = text(texts.note);
  if (variant === 'expenses') {
    const labelled = readList(brief.text, CATEGORIES);
    const listed = (labelled.length > 1 ? labelled : readEntries(brief.text)).map(capitalize);
    const usual = (texts.categories ?? '').split(', ');
    return [number(texts.amount), choice(texts.category, listed.length > 1 ? listed : usual), note];
  }
  const listed = readList(brief.text, FIELDS).map(capitalize).slice(0, 6);
  if (listed.length > 1 && listed.some((label) => NUMBERS.test(label)))
    return listed.map((label) => (NUMBERS.test(label) ? number(label) : text(label)));
  if (variant === 'workouts')
    return [number(texts.minutes), choice(texts.activity, (texts.activities ?? '').split(', '))];
  if (variant === 'reading') return [number(texts.pages), text(texts.book)];
  return [number(texts[variant] ?? texts.amount), note];
}

const SHARED =
  /(?<!\p{L})(?:split(?:ting|wise)?|settle|owes?|teilen|aufteilen|abrechn\p{L}*|partager|répartir|dividir|repartir|compartir|rachar)(?!\p{L})/iu;
const GOAL = /(\d+(?:[.,]\d+)?) ?(?:l|lit(?:er|re|ro)s?)(?!\p{L})/iu;
const CUPS = /glass|gläser|vasos|verres|copos|\bcups/i;

/** Returns how the values of a variant are counted: `per` is the time that a sum is for, '' if the last value counts. */
function countOf(variant: Variant, { request, lang }: Brief, listed: boolean) {
  const none = { currency: '', unit: '', per: 'day', goal: 0 };
  const pounds = /\b(?:lbs?|pounds|libras)\b/i.test(request);
  if (variant === 'expenses') return { ...none, currency: readCurrency(request, lang), per: 'month' };
  if (listed) return { ...none, per: '' };
  if (variant === 'weight') return { ...none, unit: pounds ? 'pound' : 'kilogram', per: '' };
  if (variant === 'water' && CUPS.test(request)) return { ...none, goal: 8 };
  const liters = Number((GOAL.exec(request)?.[1] ?? '2').replace(',', '.'));
  if (variant === 'water') return { ...none, unit: 'milliliter', goal: liters * 1000 };
  if (variant === 'sleep') return { ...none, unit: 'hour', goal: 8 };
  return { ...none, unit: variant === 'workouts' ? 'minute' : '' };
}

export const tracker: Kind = {
  name: 'tracker',
  layers: pageLayers('tracker', ['dom', 'tool', 'texts', 'storage', 'entries', 'dates', 'chart']),
  accent: '#0f766e',
  words: [
    [
      '(?:expenses?|spending|budget|money|habits?|weight|water|workouts?|fitness|reading|sleep|mood|calories?|mileage|health)[- ](?:tracker|tracking|log|diary|journal|app|planner|manager)',
      6,
    ],
    ['trackers?|haushaltsbuch|ausgaben\\p{L}*|gewohnheit\\p{L}*|gewichts\\p{L}*|lesetagebuch|trainingstagebuch', 5],
    [
      'gastos|dépenses|despesas|hábitos|habitudes|budget|presupuesto|orçamento|expenses?|spending|what i spend|money go',
      5,
    ],
    ['habits?|streaks?|(?:my|mein|mi|mon|meu) (?:weight|water|sleep|gewicht|peso|poids)|água', 4],
    ['track|log|record|registrar|registro|acompanhar|controlar|controle|suivre|suivi|protokollieren|erfassen', 3],
  ],
  // Who owes whom is another calculation.
  fits: ({ request }) => !SHARED.test(request),
  values(brief: Brief, texts) {
    const variant = variantOf(brief);
    const labelled = readList(brief.text, HABITS).filter((entry) => !isFeature(entry));
    const habits = (labelled.length > 1 ? labelled : readEntries(brief.text)).map(capitalize);
    const fields = fieldsOf(variant, brief, texts);
    const title = titleOf(brief, TITLE, texts[VARIANTS[variant][1]] ?? '');
    const isHabits = variant === 'habits';
    const measured = fields.findLastIndex(({ type }) => type === 'number');
    return {
      title,
      description: `${title}: ${isHabits ? texts.habitsDescription : texts.description}`,
      glyph: 'M8 23V15M16 23V9M24 23v-5',
      files: [
        {
          path: 'src/config.js',
          contents: isHabits ? 'the habits of a first visit' : 'the fields of an entry, and how its value is counted',
        },
        { path: 'src/summary.js', contents: isHabits ? 'streaks' : 'totals' },
        { path: 'src/entries.js', contents: 'the entries, stored in the browser, with undo' },
        { path: 'src/main.js', contents: 'draws the page and handles input' },
      ],
      isHabits,
      isAmounts: !isHabits,
      config: isHabits
        ? { habits: (habits.length > 0 ? habits : (texts.habits ?? '').split(', ')) as readonly string[] }
        : ({
            ...countOf(variant, brief, fields.length > 2 && variant !== 'expenses'),
            measured: `field${measured}`,
            fields: fields.map(({ type, label }, index) => ({ name: `field${index}`, label, type })),
          } as Value),
      inputs: fields.map(({ type, label, options = [] }, index) => ({
        label,
        name: `field${index}`,
        isNumber: type === 'number',
        isText: type === 'text',
        isChoice: type === 'choice',
        options: options.map((option) => ({ option })),
      })),
    };
  },
};
