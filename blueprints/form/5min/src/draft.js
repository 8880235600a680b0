import { load, save } from './store.js';

// A password does not belong into a storage that anything on this host can read.
const isKept = ({ type }) => type !== 'password';

/** What may be stored of some values, by the fields they belong to. */
export const keepable = (fields, values) =>
  Object.fromEntries(fields.filter(isKept).map(({ id }) => [id, values[id] ?? '']));

export const saveDraft = (fields, values) => save('draft', keepable(fields, values));

export const loadDraft = () => load('draft', {});

export const forgetDraft = () => save('draft', {});
