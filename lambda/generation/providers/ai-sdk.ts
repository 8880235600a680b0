import { InvalidResponseDataError, type LanguageModel, streamText } from 'ai';
import { type ReadSecret, SecretUnavailable } from '../../platform/secrets.ts';
import { type ShownImage, shownImages } from '../images/shown-images.ts';
import { instructionsFor } from '../instructions.ts';
import { providerFailure } from './failure.ts';
import { type Provider, type ProviderEvent, ProviderFailure } from './provider.ts';

/** The common fields of the configurations of language models. */
interface ModelConfig {
  readonly model: string;
  readonly maxOutputTokens?: number | undefined;
  readonly contextTokens?: number | undefined;
  readonly parallel?: number | undefined;
  readonly images?: boolean | undefined;
  readonly baseUrl?: string | undefined;
  /** The name of the secret. */
  readonly apiKey?: string | undefined;
}

/** The settings that all packages of the SDK accept. */
interface Settings {
  readonly apiKey?: string;
  readonly baseURL?: string;
}

// The SDK would print its warnings outside of the log's format.
globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * Returns a provider for a language model of the AI SDK. The SDK's own retries are off: only the state machine retries.
 * @param secret reads the key when it is needed
 * @param accepted the media types of the images that the vendor accepts, and whether the model does by default
 * @param open creates the model
 */
export function modelProvider(
  config: ModelConfig,
  secret: ReadSecret,
  accepted: { readonly types: readonly string[]; readonly byDefault: boolean },
  open: (settings: Settings) => LanguageModel,
): Provider {
  return {
    model: config.model,
    parallel: config.parallel ?? 4,
    quiet: false,
    async *write(request, signal) {
      const apiKey = config.apiKey === undefined ? undefined : await readKey(secret, config.apiKey);
      // Also stops the vendor when the consumer stops early.
      const done = new AbortController();
      try {
        const { system, shared, prompt: rest } = instructionsFor(request, config.contextTokens);
        const prompt = `${shared}\n\n${rest}`;
        const images = shownImages(request, (config.images ?? accepted.byDefault) ? accepted.types : []);
        const { fullStream } = streamText({
          model: open({ ...(apiKey && { apiKey }), ...(config.baseUrl && { baseURL: config.baseUrl }) }),
          instructions: system,
          prompt: images.length === 0 ? prompt : [{ role: 'user', content: withImages(prompt, images) }],
          ...(config.maxOutputTokens && { maxOutputTokens: config.maxOutputTokens }),
          maxRetries: 0,
          // A connection that is kept alive would be dead after the function was frozen.
          headers: { connection: 'close' },
          abortSignal: AbortSignal.any([signal, done.signal]),
          // Errors are in the stream as well; by default the SDK also prints them.
          onError: () => {},
        });
        yield* events(fullStream);
        // An aborted stream ends without an error.
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

/** Returns the parts of a message, with the path of each image before it. */
function withImages(prompt: string, images: readonly ShownImage[]) {
  const text = (content: string) => ({ type: 'text', text: content }) as const;
  return [
    text(prompt),
    ...images.flatMap(({ path, mediaType, content }) => [
      text(`${path}:`),
      { type: 'file', mediaType, data: content } as const,
    ]),
  ];
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
    // Some vendors send empty parts, which mean no more than a keep-alive frame.
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
