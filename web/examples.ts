import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OperationName } from '../lambda/contract/operations.ts';
import type { Recordings } from './examples/recording.ts';
import { curlCommand, responseText } from './examples/render.ts';

/** Written by `npm run record-examples`. */
export const EXAMPLES_FILE = fileURLToPath(new URL('./examples/examples.json', import.meta.url));

/** A request as a curl command, and its response as `curl -i` prints it. */
export interface Example {
  readonly curl: string;
  readonly response: string;
}

export type Examples = { readonly [Name in OperationName]?: Example };

/** Returns the examples of the operations. */
export function readExamples(): Examples {
  const recordings = JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Recordings;
  const examples = Object.entries(recordings).map(([name, { request, response }]) => [
    name,
    { curl: curlCommand(request), response: responseText(response) },
  ]);
  return Object.fromEntries(examples) as Examples;
}
