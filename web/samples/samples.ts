import type { OperationName } from '../../lambda/contract/operations.ts';
import type { Recording } from '../examples/recording.ts';
import type { SampleId } from '../languages.ts';
import { curlSample } from './curl.ts';
import { clientSample, fetchSample } from './javascript.ts';
import { pythonSample } from './python.ts';

/** Returns the code of an example's request in each language. @param base the base URL */
export function samplesOf(name: OperationName, example: Recording, base: string): Record<SampleId, string> {
  const fetch = fetchSample(example, base);
  return {
    curl: curlSample(example.request, base),
    client: clientSample(name, example.request, base) ?? fetch,
    fetch,
    python: pythonSample(example, base),
  };
}
