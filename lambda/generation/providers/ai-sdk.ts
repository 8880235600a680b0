import {
  InvalidResponseDataError,
  JSONParseError,
  type LanguageModel,
  streamText,
  type LanguageModelUsage as Usage,
} from 'ai';
import type { ModelConfig, ReasoningEffort } from '../../contract/providers.ts';
import { type ReadSecret, SecretUnavailable } from '../../platform/secrets.ts';
import { type ShownImage, shownImages, shownScreenshots } from '../images/shown-images.ts';
import { type Instructions, instructionsFor } from '../instructions.ts';
import { type CallOptions, callAdapting, type Rule, rulesWith } from './adapt.ts';
import { providerFailure } from './failure.ts';
import { type AttemptRequest, type Provider, type ProviderEvent, ProviderFailure } from './provider.ts';
import { streamFetch } from './stream-response.ts';
import { acceptsImages, contextTokensOf, maxOutputTokensOf } from './traits.ts';

/** The settings that all packages of the SDK accept. */
interface Settings {
  readonly apiKey?: string;
  readonly baseURL?: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** The properties of a vendor that the AI SDK does not know. */
export interface Vendor {
  /** The media types of the images that the vendor accepts. */
  readonly imageTypes: readonly string[];
  /** The reasoning to request if the configuration has none; `undefined` if the model may not support it. */
  readonly reasoning: ReasoningEffort | undefined;
  /** Rules besides those of all vendors. */
  readonly rules?: readonly Rule[];
  /**
   * Marks the end of a part of the prompt that the vendor should cache. Without it, the vendor caches by itself or not
   * at all.
   */
  readonly cacheMark?: ProviderOptions;
  model(settings: Settings, options: CallOptions): LanguageModel;
  providerOptions?(options: CallOptions): ProviderOptions;
}

// The SDK would print its warnings outside of the log's format.
globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * Returns how to write with a language model of the AI SDK. The SDK's own retries are off: only the state machine
 * retries.
 * @param secret reads the key when it is needed
 */
export function modelProvider(config: ModelConfig, secret: ReadSecret, vendor: Vendor): Pick<Provider, 'write'> {
  const initial: CallOptions = {
    maxOutputTokens: maxOutputTokensOf(config),
    reasoning: config.reasoning ?? vendor.reasoning,
    without: [],
  };
  const rules = rulesWith(vendor.rules ?? []);
  const baseUrl = config.baseUrl === undefined ? {} : { baseURL: config.baseUrl };
  return {
    async *write(request, signal) {
      const apiKey =
        'apiKey' in config && config.apiKey !== undefined ? await readKey(secret, config.apiKey) : undefined;
      let url: string | undefined;
      const fetch = streamFetch((called) => {
        url = called;
      });
      const settings = { ...baseUrl, fetch, ...(apiKey !== undefined && { apiKey }) };
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
          : providerFailure(error, apiKey ? [request.prompt, apiKey] : [request.prompt], { hasBegun, url });
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
  const limits = { context: contextTokensOf(config), output: options.maxOutputTokens };
  const instructions = instructionsFor(request, limits);
  const types = acceptsImages(config) ? vendor.imageTypes : [];
  const images = { shared: shownImages(request, types), own: shownScreenshots(request, types) };
  const mark = options.without.includes('cache marks') ? undefined : vendor.cacheMark;
  const providerOptions = vendor.providerOptions?.(options);
  const { fullStream } = streamText({
    model: vendor.model(settings, options),
    ...messagesOf(instructions, images, mark, !options.without.includes('system role')),
    ...(!options.without.includes('output limit') && { maxOutputTokens: options.maxOutputTokens }),
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

type Part = ReturnType<typeof streamText>['fullStream'] extends AsyncIterable<infer T> ? T : never;

/**
 * Yields the events of a provider for the parts of a stream of the AI SDK.
 * @throws the error of the stream, or ProviderFailure if it ends without a finish reason and without any text
 */
async function* events(parts: AsyncIterable<Part>): AsyncGenerator<ProviderEvent> {
  let shown: 'text' | 'tool' | 'reasoning' | 'nothing' = 'nothing';
  for await (const part of parts) {
    // Some vendors send empty parts, which mean no more than a keep-alive frame.
    if ('text' in part && part.text === '') continue;
    if (part.type === 'text-delta') {
      shown = 'text';
      yield { type: 'text', text: part.text };
    } else if (part.type === 'reasoning-start' || part.type === 'reasoning-delta') {
      if (shown === 'nothing') shown = 'reasoning';
      yield { type: 'activity' };
    } else if (part.type === 'tool-input-start' || part.type === 'tool-call') {
      if (shown !== 'text') shown = 'tool';
    } else if (part.type === 'error' && !endedEarly(part.error) && !isNoise(part.error)) throw part.error;
    else if (part.type === 'finish') {
      const reason = endOf(part.finishReason, part.rawFinishReason);
      const hasEnded = reason !== undefined || part.rawFinishReason !== undefined;
      const usage = hasEnded ? usageOf(part.totalUsage) : undefined;
      if (usage) yield { type: 'usage', usage };
      if (reason !== undefined) yield { type: 'end', reason, ...silenceOf(reason, shown) };
      else if (shown !== 'text') throw new ProviderFailure('empty', `The stream ended after ${AFTER[shown]}`);
    }
  }
}

/** The content of a stream without text, for the log. */
const AFTER = { tool: 'a tool call', reasoning: 'reasoning', nothing: 'nothing' } as const;

/** Returns why an answer has no text, for callers, unless its events tell that. */
function silenceOf(reason: 'complete' | 'length' | 'refused', shown: 'text' | keyof typeof AFTER) {
  if (shown === 'tool') return { silence: 'The model called a tool instead of answering' };
  if (shown === 'text' || reason !== 'length') return {};
  return { silence: 'The model reached its length limit before it wrote an answer' };
}

/**
 * Returns what the vendor counted; undefined if it did not say. Only called for an answer with a finish reason: of one
 * that broke off, the vendor may have counted the input and not yet the output.
 */
function usageOf({ inputTokens = 0, inputTokenDetails, outputTokens = 0, outputTokenDetails }: Usage) {
  if (inputTokens === 0) return undefined;
  const { cacheReadTokens = 0, cacheWriteTokens = 0 } = inputTokenDetails;
  const { reasoningTokens = 0 } = outputTokenDetails;
  const cached = { cachedInput: cacheReadTokens, cacheWrite: cacheWriteTokens };
  return { input: inputTokens, ...cached, output: outputTokens, reasoning: reasoningTokens };
}

/** The finish reasons of the SDK. `error` means that the answer was cut off. */
const ENDS: Readonly<Record<string, 'complete' | 'length' | 'refused'>> = {
  stop: 'complete',
  length: 'length',
  'content-filter': 'refused',
  'tool-calls': 'complete',
};

/** Finish reasons of servers that the SDK does not know; any other one, such as `eos`, is the model's own. */
const OTHER_ENDS = [
  [/length|max|limit|window/i, 'length'],
  [/filter|safety|sensitive|refus|block|prohibit/i, 'refused'],
  [/error|abort|cancel|insufficient|time_?out|interrupt|preempt|overload/i, undefined],
] as const;

/** Returns how an answer ended; undefined if it was cut off. */
function endOf(reason: string, raw: string | undefined): 'complete' | 'length' | 'refused' | undefined {
  if (ENDS[reason] !== undefined || raw === undefined || reason === 'error') return ENDS[reason];
  const known = OTHER_ENDS.find(([pattern]) => pattern.test(raw));
  return known ? known[1] : 'complete';
}

/** Reports if an event is no JSON and no part of it either, such as the `ping` of a proxy: it can be no text. */
function isNoise(error: unknown): boolean {
  return JSONParseError.isInstance(error) && !/^\s*[{["]/.test(error.text);
}

/**
 * Returns whether a stream ended without a finish reason: a cut-off answer, an error in the SDK's package for OpenAI.
 */
function endedEarly(error: unknown): boolean {
  return InvalidResponseDataError.isInstance(error) && error.data === undefined;
}

/** Options of the AI SDK by vendor. */
type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>;

/**
 * Returns the messages for the AI SDK. The parts that the calls of a generation share come first, since caches are of
 * prefixes: the system text, then the request with its images.
 * @param images those of the request, which its calls share, and those of this call
 * @param cacheMark ends each part that the vendor should cache
 * @param hasSystemRole whether the system text is a message of its own, or the beginning of the user's
 */
function messagesOf(
  { system, shared, prompt }: Instructions,
  images: { readonly shared: readonly ShownImage[]; readonly own: readonly ShownImage[] },
  cacheMark: ProviderOptions | undefined,
  hasSystemRole: boolean,
) {
  const begin = hasSystemRole ? shared : `${system}\n\n${shared}`;
  if (!cacheMark && images.shared.length + images.own.length === 0)
    return { ...(hasSystemRole && { instructions: system }), prompt: `${begin}\n\n${prompt}` };
  const marked = cacheMark ? { providerOptions: cacheMark } : {};
  const sharedParts = [text(begin), ...images.shared.flatMap(imageParts)];
  const content = [
    ...sharedParts.slice(0, -1),
    ...sharedParts.slice(-1).map((last) => ({ ...last, ...marked })),
    ...images.own.flatMap(imageParts),
    text(prompt),
  ];
  return {
    ...(hasSystemRole && { instructions: { role: 'system' as const, content: system, ...marked } }),
    prompt: [{ role: 'user' as const, content }],
  };
}

const text = (content: string) => ({ type: 'text', text: content }) as const;

/** Returns an image after its label. */
function imageParts({ label, mediaType, content }: ShownImage) {
  return [text(`${label}:`), { type: 'file', mediaType, data: content } as const];
}
