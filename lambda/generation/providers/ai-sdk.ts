import { InvalidResponseDataError, type LanguageModel, streamText } from 'ai';
import { type ReadSecret, SecretUnavailable } from '../../platform/secrets.ts';
import { instructionsFor } from '../instructions.ts';
import { providerFailure } from './failure.ts';
import { type Provider, type ProviderEvent, ProviderFailure } from './provider.ts';

/** What the configurations of all language models have. */
interface ModelConfig {
  readonly model: string;
  readonly maxOutputTokens?: number | undefined;
  readonly baseUrl?: string | undefined;
  /** The name of the secret. */
  readonly apiKey?: string | undefined;
}

/** What the SDK's packages take, as far as it is the same for all. */
interface Settings {
  readonly apiKey?: string;
  readonly baseURL?: string;
}

// Operators read the log's own format; warnings that the SDK prints would not be in it.
globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * A provider over a language model of the AI SDK. The SDK's own retries are off: the state machine alone retries.
 * @param secret reads the key when it is needed
 * @param open makes the model
 */
export function modelProvider(
  config: ModelConfig,
  secret: ReadSecret,
  open: (settings: Settings) => LanguageModel,
): Provider {
  return {
    model: config.model,
    async *write(request, signal) {
      const apiKey = config.apiKey === undefined ? undefined : await readKey(secret, config.apiKey);
      // Ends the vendor's work also when whoever reads stops early.
      const done = new AbortController();
      try {
        const { system, prompt } = instructionsFor(request);
        const { fullStream } = streamText({
          model: open({ ...(apiKey && { apiKey }), ...(config.baseUrl && { baseURL: config.baseUrl }) }),
          instructions: system,
          prompt,
          ...(config.maxOutputTokens && { maxOutputTokens: config.maxOutputTokens }),
          maxRetries: 0,
          // A function that was frozen between two calls would find a connection that it kept dead.
          headers: { connection: 'close' },
          abortSignal: AbortSignal.any([signal, done.signal]),
          // Errors are in the stream as well; without this they are printed.
          onError: () => {},
        });
        yield* events(fullStream);
        // An aborted stream just ends.
        signal.throwIfAborted();
      } catch (error) {
        throw signal.aborted
          ? signal.reason
          : providerFailure(error, apiKey ? [request.prompt, apiKey] : [request.prompt]);
      } finally {
        done.abort();
      }
    },
  };
}

async function readKey(secret: ReadSecret, name: string): Promise<string> {
  try {
    return await secret(name);
  } catch (error) {
    throw error instanceof SecretUnavailable ? new ProviderFailure('credentials', error.message) : error;
  }
}

type Part = ReturnType<typeof streamText>['fullStream'] extends AsyncIterable<infer T> ? T : never;

async function* events(parts: AsyncIterable<Part>): AsyncGenerator<ProviderEvent> {
  for await (const part of parts) {
    // Some vendors send pieces with nothing in them, which say no more than a keep-alive frame.
    if ('text' in part && part.text === '') continue;
    if (part.type === 'text-delta') yield { type: 'text', text: part.text };
    else if (part.type === 'reasoning-delta') yield { type: 'activity' };
    else if (part.type === 'error' && !endedEarly(part.error)) throw part.error;
    else if (part.type === 'finish') {
      const reason = ENDS[part.finishReason];
      if (reason !== undefined) yield { type: 'end', reason };
    }
  }
}

/** Any other finish reason says that the answer was cut off. */
const ENDS: Readonly<Record<string, 'complete' | 'length' | 'refused'>> = {
  stop: 'complete',
  length: 'length',
  'content-filter': 'refused',
};

/** A stream that ends in order, but without a finish reason, is an answer cut off; the SDK's package for OpenAI calls it an error. */
function endedEarly(error: unknown): boolean {
  return InvalidResponseDataError.isInstance(error) && error.data === undefined;
}
