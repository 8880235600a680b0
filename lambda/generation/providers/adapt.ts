import type { ReasoningEffort } from '../../contract/providers.ts';
import { refusedRequest } from './failure.ts';
import type { ProviderEvent } from './provider.ts';

/** Features of requests that a vendor or a model may refuse. */
type Feature =
  /** The usual name of the limit of output tokens, where there is another one. */
  | 'max_tokens'
  | 'output limit'
  | 'stream_options'
  | 'reasoning summary'
  | 'cache marks'
  /** A message of its own for the instructions. */
  | 'system role';

/** The options of a call that vendors and models support differently. */
export interface CallOptions {
  readonly maxOutputTokens: number;
  /** `undefined` leaves it to the model. */
  readonly reasoning: ReasoningEffort | undefined;
  /** Features that the vendor has refused. */
  readonly without: readonly Feature[];
}

/** How to avoid a refusal. */
interface Adaptation {
  /** Whether later calls will be refused as well; false if the refusal depends on the length of the prompt. */
  readonly lasting: boolean;
  /** Returns the same object if there is nothing to change. */
  adapt(options: CallOptions): CallOptions;
}

/** Reads a refusal of a call. @returns undefined if it is about something else */
export type Rule = (refusal: string, options: CallOptions) => Adaptation | undefined;

/** Returns a rule that leaves out a feature if the refusal matches all of the patterns. */
export function without(feature: Feature, ...patterns: readonly RegExp[]): Rule {
  const adaptation: Adaptation = {
    lasting: true,
    adapt: (options) =>
      options.without.includes(feature) ? options : { ...options, without: [...options.without, feature] },
  };
  return (refusal) => (patterns.every((pattern) => pattern.test(refusal)) ? adaptation : undefined);
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
      const found = refusal === undefined ? undefined : adaptationTo(refusal, options, rules);
      if (!found) throw error;
      options = found.adapt(options);
      if (!found.lasting) continue;
      lasting = found.adapt(lasting);
      learned.set(config, lasting);
    }
  }
}

/**
 * Returns the adaptation of the first rule that recognizes the refusal and changes the options: another repetition
 * would be refused again.
 */
function adaptationTo(refusal: string, options: CallOptions, rules: readonly Rule[]): Adaptation | undefined {
  for (const rule of rules) {
    const found = rule(refusal, options);
    if (found && found.adapt(options) !== options) return found;
  }
  return undefined;
}

/** The names of the limit of output tokens, outside of a list of the parameters that a server knows. */
const LIMIT_NAME = /(?<!expected one of.*)(?:max_\w*tokens|max(?:Output|Completion)?Tokens|num_predict)/;

/** The server does not know a parameter. */
const UNKNOWN =
  /unrecognized|unsupported parameter|unknown (?:field|parameter|argument|name|key)|extra (?:inputs|fields)|unexpected (?:field|parameter|keyword|argument|propert)|additional propert/i;

/** The server knows a parameter or a role, and the model does not take it. */
const NOT_TAKEN =
  /not (?:be )?(?:supported|allowed|permitted|enabled|available|accepted)|n.t (?:support|accept|allow)|not (?:support|accept|allow)\b|unsupported|deprecated/i;

/** The words for roles that are not among those of a template. */
const OTHER_ROLES = /invalid|\bonly\b|expected|must alternate/i;

/** The limit of output tokens has another name in OpenAI's newer models. */
export const RENAMED_LIMIT: Rule = (refusal, options) => {
  const isRefused = UNKNOWN.test(refusal) || NOT_TAKEN.test(refusal) || /\binstead\b/.test(refusal);
  const hasNumber = taughtLimit(refusal, options.maxOutputTokens)?.outputTokens !== undefined;
  return isRefused && !hasNumber ? OTHER_NAME(refusal, options) : undefined;
};

const OTHER_NAME = without('max_tokens', /max_completion_tokens/);

const NO_LIMIT = without('output limit', LIMIT_NAME, UNKNOWN);
const NO_LIMIT_OF_MODEL = without('output limit', LIMIT_NAME, NOT_TAKEN);

/** Lowers the limit of output tokens to the number in the refusal. */
const LOWER_LIMIT: Rule = (refusal, { maxOutputTokens }) => {
  const taught = taughtLimit(refusal, maxOutputTokens);
  return taught?.outputTokens === undefined ? undefined : lowerTo(taught.outputTokens, taught.lasting);
};

/** A refusal can come without a number, and the SDK adds a budget for the reasoning of some models to ours. */
const HALF_LIMIT: Rule = (refusal, { maxOutputTokens }) => {
  const taught = taughtLimit(refusal, maxOutputTokens);
  return taught && lowerTo(Math.floor(maxOutputTokens / 2), taught.lasting);
};

function lowerTo(limit: number, lasting: boolean): Adaptation {
  return {
    lasting,
    adapt: (options) =>
      limit < 1 || limit >= options.maxOutputTokens ? options : { ...options, maxOutputTokens: limit },
  };
}

/** Leaves the reasoning to a model that does not support the requested one. Only errors about it mention it. */
export const REASONING: Rule = (refusal) =>
  /reasoning|thinking|\beffort\b|encrypted content/i.test(refusal) ? MODELS_REASONING : undefined;

const MODELS_REASONING: Adaptation = {
  lasting: true,
  adapt: (options) => (options.reasoning === undefined ? options : { ...options, reasoning: undefined }),
};

/**
 * Models whose template has no message for instructions, in the words of Gemma's and Mistral's templates, Google and
 * Bedrock.
 */
const NO_SYSTEM_ROLE = without(
  'system role',
  /system (?:role|message|prompt|instruction)|\brole.{0,40}\bsystem\b|['"`]system['"`]|developer (?:role|message|instruction)|roles must alternate/i,
  new RegExp(`${NOT_TAKEN.source}|${OTHER_ROLES.source}`, 'i'),
);

/** Returns all rules for a vendor, in their order. A server can pass on the error of another vendor, so most are shared. */
export function rulesWith(own: readonly Rule[]): readonly Rule[] {
  // A parameter that is named as unknown comes before the numbers, such as a line and a column, of its refusal.
  return [...own, NO_LIMIT, LOWER_LIMIT, REASONING, NO_SYSTEM_ROLE, NO_LIMIT_OF_MODEL, HALF_LIMIT];
}

/** The bound on the length of answers that a refusal names. */
interface TaughtLimit {
  /** The most output tokens to ask for; undefined if the refusal has no number that helps. */
  readonly outputTokens: number | undefined;
  /** Whether later calls will be refused as well; false if the limit depends on the length of the prompt. */
  readonly lasting: boolean;
}

/** The parameters for the length of an answer, and the words for it, of all vendors. */
const ABOUT_LENGTH =
  /max(?:imum)?[\s_-]*(?:\w+[\s_-]*)?tokens|(?:output|completion|new|generated) tokens|num_predict|tokens per min/i;

/** The prompt and the answer share a limit: the context of the model, or the tokens of a minute. */
const ABOUT_PROMPT = /context|input (?:length|tokens)|`inputs`|prompt|in the messages|tokens per min/i;

/** The budget of the thoughts is another parameter. */
const ABOUT_BUDGET = /budget_tokens|thinking_?budget|(?:thinking|reasoning) budget/i;

/** A number that is part of an identifier, a version or an address is no limit, and neither is a status. */
const NUMBER = /(?<![\w.#/-])(?:\d{1,3}(?:,\d{3})+|\d+)(?![\w/-]|[.,]\d)/g;
const STATUS = /(?:code|status|http|error)\W{0,4}\d{3}\b/gi;
const RANGE = /(?<![\w-])(\d+)\s*[-–~]\s*(\d+)(?![\w-])/g;

/** No model answers in fewer tokens: a smaller number is the lower bound, or the place of an error. */
const LEAST_TOKENS = 256;

/** The tokens of the prompt: a number before a word for it, or the first one of a sum. */
const PROMPT_TOKENS = [
  /(\d+)\s+(?:`?inputs?\b|prompt\b|of text input|in the (?:messages|prompt|input))/i,
  /(\d+) \+ \d+ >/,
];

/**
 * Reads a refusal of the length of an answer by its numbers, because every server and gateway has its own words:
 * - https://github.com/anthropics/claude-code/issues/24451 (Anthropic)
 * - https://github.com/tailcallhq/forgecode/issues/1185 (OpenAI, chat completions)
 * - https://github.com/open-webui/open-webui/issues/10507 (DashScope; DeepSeek has a similar text)
 * - https://github.com/ogx-ai/ogx/issues/4534 (older vLLM and OpenAI; OpenRouter has a similar text)
 * - https://github.com/vllm-project/vllm/issues/42474 (newer vLLM, which does not count the whole prompt)
 * @param sent the most output tokens that the call asked for
 * @returns undefined if the refusal is not about the length, or if the prompt alone is too long
 */
function taughtLimit(refusal: string, sent: number): TaughtLimit | undefined {
  const text = refusal.replace(STATUS, '').replace(RANGE, '$1 $2');
  const numbers = Array.from(text.matchAll(NUMBER), ([number]) => Number(number.replaceAll(',', '')));
  if (!ABOUT_LENGTH.test(text) && !numbers.includes(sent)) return undefined;
  if (ABOUT_BUDGET.test(text)) return undefined;
  const others = numbers.filter((number) => number !== sent);
  const lasting = !ABOUT_PROMPT.test(text);
  if (!lasting) {
    // The server stopped counting.
    if (/at least/i.test(text)) return { outputTokens: undefined, lasting };
    const input = promptTokens(text, others, sent);
    const total = others.find((number) => number !== input && number !== (input ?? 0) + sent);
    if (input !== undefined && total !== undefined) {
      if (total - input < LEAST_TOKENS) return undefined;
      if (total - input < sent) return { outputTokens: total - input, lasting };
    }
  }
  const lower = others.filter((number) => number >= LEAST_TOKENS && number < sent);
  if (lower.length === 0) return { outputTokens: undefined, lasting };
  const limit = Math.max(...lower);
  const isExclusive = /exclusive|less than (?!or equal)/i.test(text);
  return { outputTokens: isExclusive ? limit - 1 : limit, lasting };
}

/** Returns the tokens of the prompt, by their word or because they and those of the answer have a sum. */
function promptTokens(text: string, numbers: readonly number[], sent: number): number | undefined {
  for (const pattern of PROMPT_TOKENS) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined && Number(found) !== sent) return Number(found);
  }
  const sum = numbers.find((number) => number > sent && numbers.some((other) => other < number));
  return sum === undefined ? undefined : sum - sent;
}
