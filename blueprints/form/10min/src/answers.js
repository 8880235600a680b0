import { toCsv } from './csv.js';
import { keepable } from './draft.js';
import { fields } from './rules.js';
import { load, save } from './store.js';

/** What was sent from this browser, the newest first: `{ at, …values by the ids of the fields }`, without passwords. */
export const answers = () => load('answers', []);

export function keepAnswer(values, at = Date.now()) {
  save('answers', [{ at, ...keepable(fields, values) }, ...answers()]);
}

export const removeAnswer = (at) => save('answers', answers().filter((answer) => answer.at !== at));

/** The answers as a table for a spreadsheet: a column for the time and one for each field. */
export function csv(list) {
  const kept = fields.filter(({ type }) => type !== 'password');
  const rows = list.map((answer) => [new Date(answer.at).toISOString(), ...kept.map(({ id }) => answer[id])]);
  return toCsv([['sent at', ...kept.map(({ label }) => label)], ...rows]);
}
