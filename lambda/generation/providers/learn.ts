/** A parameter that some servers or models refuse. */
export type Refused = 'max_tokens' | 'stream_options' | 'summary' | 'reasoning';

/** What a vendor's errors said about its limits. */
export interface Learned {
  /** The most output tokens that the model accepts. */
  readonly maxOutputTokens?: number;
  readonly refused: ReadonlySet<Refused>;
}

export const NOTHING_LEARNED: Learned = { refused: new Set() };

/** Fewer output tokens hold no file of a project: the error then says more than a call would. */
const LEAST_TOKENS = 1_000;

/**
 * The patterns of an error about too many output tokens, each with the limit.
 * Anthropic: https://docs.anthropic.com/en/api/errors · OpenAI: https://platform.openai.com/docs/guides/error-codes
 * Google: https://github.com/BerriAI/litellm/pull/10548 · Bedrock: https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference.html
 */
const LIMITS: readonly RegExp[] = [
  /max_tokens: \d+ > (\d+)/,
  /supports at most (\d+) (?:completion|output) tokens/,
  /range is from \d+ \(inclusive\) to (\d+) \(exclusive\)/,
  /exceeds? the model limit of (\d+)/,
  /(?:less than or equal to|<=|at most) (\d+)/,
];

/** vLLM: https://github.com/vllm-project/vllm/issues/20409 and https://github.com/stepfun-ai/Step-Audio-R1/issues/3 */
const CONTEXT = /maximum context length is (\d+) tokens/;
const INPUT = /(?:\((\d+) in the messages|request has (\d+) input tokens)/;

/**
 * Learns from the error of a request that a vendor rejected, to send it again in another way.
 * @param error the vendor's message
 * @param sent the most output tokens that were asked for
 * @returns undefined if the error is about something else, or if what it asks for was done already
 */
export function learnFrom(error: string, sent: number, learned: Learned): Learned | undefined {
  const refused = refusedBy(error);
  if (refused !== undefined && !learned.refused.has(refused))
    return { ...learned, refused: new Set([...learned.refused, refused]) };
  if (!/token/i.test(error)) return undefined;
  const limit = limitIn(error);
  return limit !== undefined && limit >= LEAST_TOKENS && limit < sent
    ? { ...learned, maxOutputTokens: limit }
    : undefined;
}

function refusedBy(error: string): Refused | undefined {
  if (/'max_tokens' is not supported|use 'max_completion_tokens'/i.test(error)) return 'max_tokens';
  if (error.includes('stream_options')) return 'stream_options';
  if (/reasoning.?summar/i.test(error)) return 'summary';
  return /reasoning|thinking/i.test(error) ? 'reasoning' : undefined;
}

function limitIn(error: string): number | undefined {
  const context = CONTEXT.exec(error)?.[1];
  if (context !== undefined) {
    const [, first, second] = INPUT.exec(error) ?? [];
    const input = first ?? second;
    return input === undefined ? undefined : Number(context) - Number(input);
  }
  for (const pattern of LIMITS) {
    const limit = pattern.exec(error)?.[1];
    if (limit !== undefined) return pattern.source.includes('exclusive') ? Number(limit) - 1 : Number(limit);
  }
  return undefined;
}
