import type { ReasoningEffort } from '../../contract/providers.ts';
import { refusedRequest } from './failure.ts';
import type { ProviderEvent } from './provider.ts';

/** Features of requests that a vendor or a model may refuse. */
export type Feature = 'max_tokens' | 'stream_options' | 'reasoning summary' | 'cache marks';

/** The options of a call that vendors and models support differently. */
export interface CallOptions {
  readonly maxOutputTokens: number;
  /** `undefined` leaves it to the model. */
  readonly reasoning: ReasoningEffort | undefined;
  /** Features that the vendor has refused. */
  readonly without: readonly Feature[];
}

/** Recognizes a refusal by its text and returns options that avoid it. */
export interface Rule {
  readonly pattern: RegExp;
  /** Whether later calls will be refused as well; false if the refusal depends on the length of the prompt. */
  readonly lasting: boolean;
  adapt(options: CallOptions, match: RegExpExecArray): CallOptions;
}

/** Returns a rule that leaves out a feature. */
export function without(feature: Feature, pattern: RegExp): Rule {
  return {
    pattern,
    lasting: true,
    adapt: (options) =>
      options.without.includes(feature) ? options : { ...options, without: [...options.without, feature] },
  };
}

/** Maximum number of repetitions of one call. */
const MAX_ADAPTATIONS = 4;

/**
 * The options that vendors accept, by the provider's configuration: the same object in every call of a warm function.
 */
const learned = new WeakMap<object, CallOptions>();

/** Returns the limit of output tokens that the vendor's refusals have taught; undefined if there were none. */
export function learnedOutputTokens(config: object): number | undefined {
  return learned.get(config)?.maxOutputTokens;
}

/**
 * Yields the events of a call. If the vendor refuses the request for a reason that a rule recognizes, calls again at
 * once with adapted options.
 * @param config the provider's configuration, for which lasting adaptations are remembered
 * @param confidential see `refusedRequest`
 */
export async function* callAdapting(
  config: object,
  initial: CallOptions,
  rules: readonly Rule[],
  confidential: readonly string[],
  call: (options: CallOptions) => AsyncIterable<ProviderEvent>,
): AsyncGenerator<ProviderEvent> {
  // Calls at the same time learn the same: none of them adapts what another one has adapted.
  let lasting = learned.get(config) ?? initial;
  let options = lasting;
  for (let left = MAX_ADAPTATIONS; ; left--) {
    let hasStarted = false;
    try {
      for await (const event of call(options)) {
        hasStarted = true;
        yield event;
      }
      return;
    } catch (error) {
      const refusal = hasStarted || left === 0 ? undefined : refusedRequest(error, confidential);
      const found = refusal === undefined ? undefined : adaptation(options, refusal, rules);
      if (!found) throw error;
      options = found.rule.adapt(options, found.match);
      if (!found.rule.lasting) continue;
      lasting = found.rule.adapt(lasting, found.match);
      learned.set(config, lasting);
    }
  }
}

/**
 * Returns the first rule that recognizes the refusal and changes the options: another repetition would be refused
 * again.
 */
function adaptation(options: CallOptions, refusal: string, rules: readonly Rule[]) {
  for (const rule of rules) {
    const match = rule.pattern.exec(refusal);
    if (match && rule.adapt(options, match) !== options) return { rule, match };
  }
  return undefined;
}

/**
 * The limits of models, in the words of the vendors. A server can pass on the error of another vendor, so all providers
 * use all rules. Sources, in this order:
 * - https://github.com/anthropics/claude-code/issues/24451 (Anthropic)
 * - https://github.com/tailcallhq/forgecode/issues/1185 (OpenAI, chat completions)
 * - https://github.com/Gitlawb/openclaude/issues/331 (OpenAI's wording for integers, here of Volcano Engine)
 * - https://github.com/BerriAI/litellm/pull/10548 (Google)
 * - https://github.com/sigoden/aichat/pull/813 (Bedrock)
 * - https://github.com/open-webui/open-webui/issues/10507 (DashScope; DeepSeek has a similar text)
 * - https://github.com/skapadia3214/groq-moa/issues/8 (Groq)
 */
const MODEL_LIMITS = [
  /max_tokens: \d+ > (?<limit>\d+)/,
  /supports at most (?<limit>\d+) completion tokens/,
  /max\w*tokens.*value <= (?<limit>\d+)/i,
  /max\w*tokens.* to (?<beyond>\d+) \(exclusive\)/i,
  /maximum tokens you requested exceeds the model limit of (?<limit>\d+)/,
  /range of max_tokens (?:is|should be) \[1, (?<limit>\d+)\]/i,
  /max\w*tokens.* less than or equal to `?(?<limit>\d+)/,
];

/**
 * Errors with the tokens that the context leaves for the answer:
 * - https://github.com/stepfun-ai/Step-Audio-R1/issues/3 (vLLM)
 * - https://github.com/ogx-ai/ogx/issues/4534 (older vLLM and OpenAI; OpenRouter has a similar text)
 * - https://github.com/docker/docker-agent/issues/569 (Anthropic)
 * - https://github.com/barun-saha/slide-deck-ai/issues/44 (Text Generation Inference)
 * - https://github.com/vllm-project/vllm/issues/42474 (newer vLLM, which does not count the whole prompt)
 */
const CONTEXT_LIMITS = [
  /maximum context length is (?<context>\d+) tokens and your request has (?<input>\d+) input tokens/,
  /maximum context length is (?<context>\d+) tokens\. However, you requested (?:about )?\d+ tokens \((?<input>\d+) /,
  /exceed context limit: (?<input>\d+) \+ \d+ > (?<context>\d+)/,
  /must be <= (?<context>\d+)\. Given: (?<input>\d+) `inputs` tokens/,
  /maximum context length is \d+ tokens\. However, you requested \d+ output tokens and your prompt contains at least/,
];

/** Takes the limit of output tokens from an error. */
export const LIMITS: readonly Rule[] = [
  ...MODEL_LIMITS.map((pattern) => ({ pattern, lasting: true, adapt: lower })),
  ...CONTEXT_LIMITS.map((pattern) => ({ pattern, lasting: false, adapt: lower })),
];

/** Leaves the reasoning to a model that does not support the requested one. Only errors about it mention it. */
export const REASONING: Rule = {
  pattern: /reasoning|thinking|\beffort\b|encrypted content/i,
  lasting: true,
  adapt: (options) => (options.reasoning === undefined ? options : { ...options, reasoning: undefined }),
};

function lower(options: CallOptions, { groups }: RegExpExecArray): CallOptions {
  const limit = limitOf(groups ?? {});
  // An error can come without a limit, and the SDK adds a budget for the reasoning of some models to ours.
  const isUsable = limit !== undefined && limit < options.maxOutputTokens;
  const maxOutputTokens = isUsable ? limit : Math.floor(options.maxOutputTokens / 2);
  // The prompt alone may fill the context.
  return maxOutputTokens < 1 ? options : { ...options, maxOutputTokens };
}

function limitOf({ limit, beyond, context, input }: Readonly<Record<string, string>>): number | undefined {
  if (limit !== undefined) return Number(limit);
  if (beyond !== undefined) return Number(beyond) - 1;
  return context === undefined ? undefined : Number(context) - Number(input);
}
