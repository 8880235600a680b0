import { APICallError, InvalidResponseDataError, type LanguageModel, streamText } from 'ai';
import { type ReadSecret, SecretUnavailable } from '../../platform/secrets.ts';
import { type ShownImage, shownImages } from '../images/shown-images.ts';
import { instructionsFor } from '../instructions.ts';
import { providerFailure } from './failure.ts';
import { type Learned, learnFrom, NOTHING_LEARNED } from './learn.ts';
import { type ModelConfig, settingsOf } from './model-config.ts';
import { type AttemptRequest, type Provider, type ProviderEvent, ProviderFailure } from './provider.ts';

/** The settings that all packages of the SDK accept. */
interface Settings {
  readonly apiKey?: string;
  readonly baseURL?: string;
}

type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>;

/** What differs between the vendors. */
export interface Vendor {
  /** The media types of the images that it accepts, and whether the model does by default. */
  readonly images: { readonly types: readonly string[]; readonly byDefault: boolean };
  /** Creates the model, as `learned` allows. */
  readonly open: (settings: Settings, learned: Learned) => LanguageModel;
  /** Marks the end of what the vendor is to cache. Others cache by themselves, or do not. */
  readonly cacheMark?: ProviderOptions;
  readonly options?: (learned: Learned) => ProviderOptions;
  /** Whether the model is asked to reason although the configuration does not mention it. */
  readonly reasons: boolean;
}

/** A request may be rejected for several reasons, one after another. */
const MOST_LESSONS = 4;

// The SDK would print its warnings outside of the log's format.
globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * Returns a provider for a language model of the AI SDK. The SDK's own retries are off: only the state machine retries. A
 * request that the vendor rejects for one of its parameters is sent again without it, and the next ones are sent so at once.
 * @param secret reads the key when it is needed
 */
export function modelProvider(config: ModelConfig, secret: ReadSecret, vendor: Vendor): Provider {
  const settings = settingsOf(config);
  let learned = NOTHING_LEARNED;
  return {
    model: config.model,
    parallel: settings.parallel,
    quiet: settings.quiet,
    async *write(request, signal) {
      const name = 'apiKey' in config ? config.apiKey : undefined;
      const apiKey = name === undefined ? undefined : await readKey(secret, name);
      const connection = { ...(apiKey && { apiKey }), ...(config.baseUrl && { baseURL: config.baseUrl }) };
      // Also stops the vendor when the consumer stops early.
      const done = new AbortController();
      const abortSignal = AbortSignal.any([signal, done.signal]);
      try {
        for (let lessons = 0; ; lessons++) {
          const call = callOf(request, config, vendor, learned);
          const model = vendor.open(connection, learned);
          const rejected = yield* untilRejected(
            events(streamText({ ...CALL, ...call, model, abortSignal }).fullStream),
          );
          // An aborted stream ends without an error.
          signal.throwIfAborted();
          if (rejected === undefined) return;
          const lesson = learnFrom(rejectionIn(rejected.error), call.maxOutputTokens, learned);
          if (lesson === undefined || lessons === MOST_LESSONS) throw rejected.error;
          learned = lesson;
        }
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

/** The options of every call. */
const CALL = {
  maxRetries: 0,
  // A connection that is kept alive would be dead after the function was frozen.
  headers: { connection: 'close' },
  // Errors are in the stream as well; by default the SDK also prints them.
  onError: () => {},
};

/** Returns the options of a call that depend on the request, on the vendor, and on what it has refused. */
function callOf(request: AttemptRequest, config: ModelConfig, vendor: Vendor, learned: Learned) {
  const { maxOutputTokens, reasoning } = settingsOf(config);
  const isReasoning = config.reasoning !== undefined || vendor.reasons;
  return {
    ...messagesFor(request, config, vendor),
    ...(vendor.options && { providerOptions: vendor.options(learned) }),
    ...(isReasoning && !learned.refused.has('reasoning') && { reasoning }),
    maxOutputTokens: Math.min(maxOutputTokens, learned.maxOutputTokens ?? maxOutputTokens),
  };
}

/** Yields the events of an answer. @returns the error if it came before all of them */
async function* untilRejected(
  answer: AsyncIterable<ProviderEvent>,
): AsyncGenerator<ProviderEvent, { readonly error: unknown } | undefined> {
  let isAnswered = false;
  try {
    for await (const event of answer) {
      isAnswered = true;
      yield event;
    }
    return undefined;
  } catch (error) {
    if (isAnswered) throw error;
    return { error };
  }
}

/** Returns the text of an error response that rejects a request; empty for any other error. */
function rejectionIn(error: unknown): string {
  if (!APICallError.isInstance(error)) return '';
  const { statusCode, responseBody, message } = error;
  return statusCode === 400 || statusCode === 422 ? `${message} ${responseBody ?? ''}` : '';
}

/** Returns the messages of a request, marked for caching where the vendor wants to be asked. */
function messagesFor(request: AttemptRequest, config: ModelConfig, { images, cacheMark }: Vendor) {
  const { system, shared, prompt } = instructionsFor(request, settingsOf(config).contextTokens);
  const shown = shownImages(request, (config.images ?? images.byDefault) ? images.types : []);
  if (cacheMark === undefined) {
    const text = `${shared}\n\n${prompt}`;
    return {
      instructions: system,
      prompt: shown.length === 0 ? text : [{ role: 'user' as const, content: withImages(text, shown) }],
    };
  }
  const beginning = { type: 'text', text: `${shared}\n\n`, providerOptions: cacheMark } as const;
  return {
    instructions: { role: 'system' as const, content: system, providerOptions: cacheMark },
    prompt: [{ role: 'user' as const, content: [beginning, ...withImages(prompt, shown)] }],
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
