import { type LanguageModel, streamText } from 'ai';
import type { ModelConfig, ReasoningEffort } from '../../contract/providers.ts';
import { type ReadSecret, SecretUnavailable } from '../../platform/secrets.ts';
import { shownImages, shownScreenshots } from '../images/shown-images.ts';
import { instructionsFor } from '../instructions.ts';
import { type CallOptions, callAdapting, type Rule } from './adapt.ts';
import { events } from './events.ts';
import { providerFailure } from './failure.ts';
import { messagesOf, type ProviderOptions } from './messages.ts';
import { type AttemptRequest, type Provider, ProviderFailure } from './provider.ts';
import { LIMITS, REASONING } from './rules.ts';
import { acceptsImages, contextTokensOf, maxOutputTokensOf } from './traits.ts';

/** The settings that all packages of the SDK accept. */
interface Settings {
  readonly apiKey?: string;
  readonly baseURL?: string;
}

/** What the AI SDK does not know about a vendor. */
export interface Vendor {
  /** The media types of the images that the vendor accepts. */
  readonly imageTypes: readonly string[];
  /** The reasoning to request if the configuration has none; `undefined` if the model may not support it. */
  readonly reasoning: ReasoningEffort | undefined;
  /** Rules besides those of all vendors. */
  readonly rules?: readonly Rule[];
  /** Marks the end of a part of the prompt that the vendor should cache. Without it, the vendor caches by itself or not at all. */
  readonly cacheMark?: ProviderOptions;
  model(settings: Settings, options: CallOptions): LanguageModel;
  providerOptions?(options: CallOptions): ProviderOptions;
}

// The SDK would print its warnings outside of the log's format.
globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * Returns how to write with a language model of the AI SDK. The SDK's own retries are off: only the state machine retries.
 * @param secret reads the key when it is needed
 */
export function modelProvider(
  config: ModelConfig,
  secret: ReadSecret,
  vendor: Vendor,
): Pick<Provider, 'write'> {
  const initial: CallOptions = {
    maxOutputTokens: maxOutputTokensOf(config),
    reasoning: config.reasoning ?? vendor.reasoning,
    without: [],
  };
  const rules = [...LIMITS, ...(vendor.rules ?? []), REASONING];
  const baseUrl = config.baseUrl === undefined ? {} : { baseURL: config.baseUrl };
  return {
    async *write(request, signal) {
      const apiKey =
        'apiKey' in config && config.apiKey !== undefined ? await readKey(secret, config.apiKey) : undefined;
      const settings = apiKey === undefined ? baseUrl : { ...baseUrl, apiKey };
      // Also stops the vendor when the consumer stops early.
      const done = new AbortController();
      const stop = AbortSignal.any([signal, done.signal]);
      let hasBegun = false;
      try {
        const events = callAdapting(config, initial, rules, [request.prompt], (options) =>
          call(config, vendor, settings, options, request, stop),
        );
        for await (const event of events) {
          hasBegun = true;
          yield event;
        }
        // An aborted stream ends without an error.
        signal.throwIfAborted();
      } catch (error) {
        throw signal.aborted
          ? signal.reason
          : providerFailure(error, apiKey ? [request.prompt, apiKey] : [request.prompt], hasBegun);
      } finally {
        done.abort();
      }
    },
  };
}

function call(
  config: ModelConfig,
  vendor: Vendor,
  settings: Settings,
  options: CallOptions,
  request: AttemptRequest,
  signal: AbortSignal,
) {
  const instructions = instructionsFor(request, contextTokensOf(config));
  const types = acceptsImages(config) ? vendor.imageTypes : [];
  const images = { shared: shownImages(request, types), own: shownScreenshots(request, types) };
  const mark = options.without.includes('cache marks') ? undefined : vendor.cacheMark;
  const providerOptions = vendor.providerOptions?.(options);
  const { fullStream } = streamText({
    model: vendor.model(settings, options),
    ...messagesOf(instructions, images, mark),
    maxOutputTokens: options.maxOutputTokens,
    ...(options.reasoning && { reasoning: options.reasoning }),
    ...(providerOptions && { providerOptions }),
    maxRetries: 0,
    // A connection that is kept alive would be dead after the function was frozen.
    headers: { connection: 'close' },
    abortSignal: signal,
    // Errors are in the stream as well; by default the SDK also prints them.
    onError: () => {},
  });
  return events(fullStream);
}

async function readKey(secret: ReadSecret, name: string): Promise<string> {
  try {
    return await secret(name);
  } catch (error) {
    throw error instanceof SecretUnavailable
      ? new ProviderFailure('credentials', error.message, { isRejected: true })
      : error;
  }
}
