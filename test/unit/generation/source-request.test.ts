import { namesSource } from '../../../lambda/generation/attempt/draft.ts';
import { linearTime, repeated } from '../../support/linear-time.ts';
import { testRows } from '../../support/rows.ts';

const inLinearTime = linearTime(() => namesSource(repeated('a page about gardens, with photos. ')));

const WANTED = [
  'a habit tracker in React with TypeScript and Tailwind',
  'A kanban board in Vue 3',
  'Svelte 5 pomodoro timer',
  'a pomodoro timer built with svelte',
  'React app for a bakery',
  'ein Haushaltsbuch mit React und Tailwind',
  'ein Kanban-Board mit Vue.js',
  'une application de notes en React',
  'una lista de tareas con React y TypeScript',
  'um painel de vendas em React',
  'a single TSX component: a pricing table',
  'a landing page (Tailwind CSS)',
  'landing page styled using tailwind',
  'a todo list with SolidJS signals',
  'a counter as a Lit component',
  'a shadcn/ui settings page',
  'a weather card in preact',
  'a dashboard built with react and tailwind',
  'No Vue, please: write it in React',
  'a snake game in TypeScript without React',
];

const UNWANTED = [
  'a pomodoro timer',
  'cards that react to the pointer',
  'React to my photos with emojis',
  'a page where people react with emojis',
  'une vue mensuelle de mes dépenses',
  "Vue d'ensemble de mes projets",
  'un hôtel avec vue sur la mer',
  'en vue de mon mariage, une page pour les invités',
  'a scene with solid colours, well lit',
  'a lit candle in a solid frame',
  'a svelte phone on a landing page',
  'flight planner with headwind and tailwind',
  'a to-do list without React, Vue or Svelte',
  'eine Seite ohne React',
  'plain JavaScript, no TypeScript',
  'a quiz about React and Vue',
  'an invitation page',
  '',
];

it('finds a framework, TypeScript or Tailwind in a request', () => {
  expect(WANTED.filter((prompt) => !namesSource(prompt))).toEqual([]);
});

it('takes no other words for a framework, nor one that the request does without', () => {
  expect(UNWANTED.filter(namesSource)).toEqual([]);
});

testRows(['in react no ', ', React', ' ', 'with '])('reads a long request in linear time', (unit) => {
  inLinearTime(() => namesSource(`no React${repeated(unit)}`));
});
