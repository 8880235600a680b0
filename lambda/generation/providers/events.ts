import { InvalidResponseDataError, type streamText, type LanguageModelUsage as Usage } from 'ai';
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
      const hasEnded = reason !== undefined || part.rawFinishReason !== undefined;
      const usage = hasEnded ? usageOf(part.totalUsage) : undefined;
      if (usage) yield { type: 'usage', usage };
      if (reason !== undefined) yield { type: 'end', reason };
    }
  }
}

/**
 * Returns what the vendor counted; undefined if it did not say. Only called for an answer with a finish reason: of one that
 * broke off, the vendor may have counted the input and not yet the output.
 */
function usageOf({ inputTokens = 0, inputTokenDetails, outputTokens = 0, outputTokenDetails }: Usage) {
  if (inputTokens === 0) return undefined;
  const { cacheReadTokens = 0, cacheWriteTokens = 0 } = inputTokenDetails;
  const { reasoningTokens = 0 } = outputTokenDetails;
  const cached = { cachedInput: cacheReadTokens, cacheWrite: cacheWriteTokens };
  return { input: inputTokens, ...cached, output: outputTokens, reasoning: reasoningTokens };
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
