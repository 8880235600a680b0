/** What a refusal says about the length of answers. */
export interface TaughtLimit {
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
export function taughtLimit(refusal: string, sent: number): TaughtLimit | undefined {
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
