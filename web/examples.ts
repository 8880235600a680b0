import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OperationName } from '../lambda/contract/operations.ts';
import type { Recording } from './examples/recording.ts';

/** Written by `npm run record-examples`. */
export const EXAMPLES_FILE = fileURLToPath(new URL('./examples/examples.json', import.meta.url));

/** Returns the recorded examples; a new operation has none before it is recorded. */
export function readExamples(): { readonly [Name in OperationName]?: Recording } {
  return JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8'));
}
