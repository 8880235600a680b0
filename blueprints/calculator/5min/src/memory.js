import { load, save } from './store.js';

let memory = load('memory', 0);

/** The number that is remembered; 0 when nothing is, as on pocket calculators. */
export const recall = () => memory;

export function remember(value) {
  memory = Number.isFinite(value) ? value : 0;
  save('memory', memory);
}

/** Adds to what is remembered; a value that is no finite number changes nothing. */
export function addToMemory(value) {
  if (Number.isFinite(value)) remember(memory + value);
}
