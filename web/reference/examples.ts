import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OperationName } from '../../lambda/contract/operations.ts';
import type { Recording } from './examples/recording.ts';
import type { SampleId } from './languages.ts';
import { curlSample } from './samples/curl.ts';
import { clientSample, fetchSample } from './samples/javascript.ts';
import { pythonSample } from './samples/python.ts';

/** Written by `npm run record-examples`. */
export const EXAMPLES_FILE = fileURLToPath(new URL('./examples/examples.json', import.meta.url));

/** Returns the recorded examples; a new operation has none before it is recorded. */
export function readExamples(): { readonly [Name in OperationName]?: Recording } {
  return JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8'));
}

/** Returns the code of an example's request in each language. @param base the base URL */
export function samplesOf(name: OperationName, example: Recording, base: string): Record<SampleId, string> {
  const fetch = fetchSample(example, base);
  const client = clientSample(name, example, base) ?? fetch;
  return { curl: curlSample(example, base), client, fetch, python: pythonSample(example, base) };
}
