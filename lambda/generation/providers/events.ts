import { InvalidResponseDataError, type streamText } from 'ai';
import type { ProviderEvent } from './provider.ts';

type Part = ReturnType<typeof streamText>['fullStream'] extends AsyncIterable<infer T> ? T : never;

/** Yields the events of a provider for the parts of a stream of the AI SDK. */
export async function* events(parts: AsyncIterable<Part>): AsyncGenerator<ProviderEvent> {
  for await (const part of parts) {
    // Some vendors send empty parts, which mean no more than a keep-alive frame.
    if ('text' in part && part.text === '') continue;
    if (part.type === 'text-delta') yield { type: 'text', text: part.text };
    else if (part.type === 'reasoning-start' || part.type === 'reasoning-delta') yield { type: 'activity' };
    else if (part.type === 'error' && !endedEarly(part.error)) throw part.error;
    else if (part.type === 'finish') {
      const reason = ENDS[part.finishReason];
      if (reason !== undefined) yield { type: 'end', reason };
    }
  }
}

/** Any other finish reason means that the answer was cut off. */
const ENDS: Readonly<Record<string, 'complete' | 'length' | 'refused'>> = {
  stop: 'complete',
  length: 'length',
  'content-filter': 'refused',
};

/** Returns whether a stream ended without a finish reason: a cut-off answer, an error in the SDK's package for OpenAI. */
function endedEarly(error: unknown): boolean {
  return InvalidResponseDataError.isInstance(error) && error.data === undefined;
}
