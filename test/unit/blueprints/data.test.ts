import { compose, matchPrompt } from '../../../blueprints/engine/compose.ts';
import { problemsOf } from '../../../lambda/generation/problems.ts';
import { needsOwnOrigin, parseDeclaration } from '../../../lambda/sites/data/declaration.ts';
import { testRows } from '../../support/rows.ts';
import { file } from './prompts.ts';

const OWN = { ownOrigins: true };
const SHARED = { ownOrigins: false };

/** Prompts for what visitors share or send, with the kind and the collection, in all languages. */
const PROMPTS = [
  ['A guestbook for our wedding where guests leave wishes and everyone sees them', 'guestbook', 'entries'],
  ['Ein Gästebuch für unser Sommerfest', 'guestbook', 'entries'],
  ['Libro de visitas para nuestra boda', 'guestbook', 'entries'],
  ['Livre d’or pour le mariage de Léa et Tom', 'guestbook', 'entries'],
  ['Livro de visitas para o nosso casamento', 'guestbook', 'entries'],
  ['a poll: which day suits you, Monday, Tuesday or Friday?', 'poll', 'votes'],
  ['Umfrage: Wohin fahren wir? Berge, Meer oder Stadt', 'poll', 'votes'],
  ['Encuesta: ¿pizza, sushi o tacos?', 'poll', 'votes'],
  ['Sondage : quel jour, lundi ou mardi ?', 'poll', 'votes'],
  ['Enquete: praia, serra ou cidade?', 'poll', 'votes'],
  ['a poll where we eat', 'poll', 'votes'],
  ['Umfrage: Wann treffen wir uns?', 'poll', 'votes'],
  ['Umfrage zur Zufriedenheit am Tag der offenen Tür', 'form', 'feedback'],
  ['Registration for our summer party, 30 places, name and e-mail, I need the list', 'form', 'registrations'],
  ['Anmeldung zum Sommerfest mit 30 Plätzen', 'form', 'registrations'],
  ['Formulario de inscripción para el taller, 30 plazas', 'form', 'registrations'],
  ['Formulaire d’inscription à l’atelier, 30 places', 'form', 'registrations'],
  ['Formulário de inscrição para a oficina, 30 vagas', 'form', 'registrations'],
  ['a wedding invitation for Ana & Luis', 'event', 'answers'],
  ['Einladung zum 40. Geburtstag von Katrin', 'event', 'answers'],
  ['a contact form', 'form', 'messages'],
  ['ein Kontaktformular', 'form', 'messages'],
  ['formulario de contacto', 'form', 'messages'],
  ['un formulaire de contact', 'form', 'messages'],
  ['formulário de contato', 'form', 'messages'],
  ['a form with fields name, constructor, 2nd name, name (optional), consent', 'form', 'messages'],
] satisfies readonly (readonly [prompt: string, kind: string, collection: string])[];

const declarationOf = (prompt: string, data: typeof OWN) =>
  parseDeclaration(file(compose(prompt, '10min', { data }), '_data.json'));

testRows<[string, string, string, typeof OWN]>(
  PROMPTS.flatMap(([prompt, kind, collection]) =>
    [OWN, SHARED].map((data): [string, string, string, typeof OWN] => [prompt, kind, collection, data]),
  ),
)('a starter declares the data that its page uses', (prompt, kind, collection, data) => {
  expect(matchPrompt(prompt, data)).toBe(kind);
  const declaration = declarationOf(prompt, data);
  expect([...declaration.collections.keys()]).toEqual([collection]);
  if (!data.ownOrigins) expect(needsOwnOrigin(declaration)).toBeUndefined();
  expect(problemsOf(compose(prompt, '10min', { data }), data)).toEqual([]);
});

testRows([
  ['Anmeldung zum Sommerfest mit 30 Plätzen', { most: 30, unique: 'e-mail', read: 'owner', count: 'visitor' }],
  ['a registration form for our workshop', { unique: 'e-mail', read: 'owner', count: 'owner' }],
  ['a contact form', { read: 'owner', update: 'owner', delete: 'owner' }],
  ['a poll: pizza, sushi or tacos', { unique: 'visitor', update: 'author', read: 'author', tally: 'choice' }],
  ['a guestbook', { read: 'visitor', delete: 'author', update: 'owner' }],
] as const)('visitors may do what the page is for, and no more', (prompt, rules) => {
  const [collection] = declarationOf(prompt, OWN).collections.values();
  expect(collection).toMatchObject({ create: 'visitor', ...rules });
});

testRows([
  ['a sign in form', OWN],
  ['a form with fields email, password', OWN],
  ['a contact form', undefined],
  ['a poll: pizza, sushi or tacos', undefined],
])('a starter sends nothing without data, nor passwords', (prompt, data) => {
  const files = compose(prompt, '10min', { data });
  expect(files.map(({ path }) => path)).not.toContain('_data.json');
  expect(files.map(({ content }) => content).join()).not.toContain('.data/client');
});

test('the README of a starter names its files as they are', () => {
  const prompts = ['a guestbook', 'a poll: pizza, sushi or tacos', 'a contact form'];
  for (const prompt of prompts)
    expect(file(compose(prompt, '5min', { data: OWN }), 'README.md')).toContain('| `_data.json` |');
});

it('has no starter for a guestbook that nobody else would see', () => {
  expect(matchPrompt('a guestbook')).toBeNull();
});

test('the service worker of a starter answers its files, and never the data', async () => {
  const listeners = new Map<string, (event: object) => void>();
  const self = {
    registration: { scope: 'https://x.example/' },
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
  };
  const code = file(compose('a guestbook', '5min', { data: OWN }), 'service-worker.js');
  new Function('self', 'caches', 'fetch', code)(self, { open: () => new Promise(() => {}) }, () => {});
  const answers = (path: string) => {
    let answered = false;
    const request = { method: 'GET', url: `https://x.example/${path}` };
    listeners.get('fetch')?.({ request, respondWith: () => (answered = true) });
    return answered;
  };
  expect(['style.css', '.data/entries', 'src/.data/client.js'].map(answers)).toEqual([true, false, false]);
});
