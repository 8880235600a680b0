import type { TokenUsage } from '../../../lambda/contract/prices.ts';
import { at, type Body, type Finish, type Limits, PROMPT_TOKENS, type Refusal, USAGE, type Wire } from './script.ts';

const frame = (data: object) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'a-model',
    ...data,
  })}\n\n`;

const chunk = (delta: object, finish_reason: string | null = null) =>
  frame({ choices: [{ index: 0, delta, finish_reason }] });

function reported({ input, cachedInput, output, reasoning }: TokenUsage) {
  return {
    prompt_tokens: input,
    prompt_tokens_details: { cached_tokens: cachedInput },
    completion_tokens: output,
    completion_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
const DONE = 'data: [DONE]\n\n';

const REASON: Readonly<Record<Finish, string>> = {
  complete: 'stop',
  length: 'length',
  refused: 'content_filter',
};

/** https://platform.openai.com/docs/api-reference/chat-streaming */
export const openAiCompatible = (body: Body): Wire => {
  // https://platform.openai.com/docs/api-reference/chat/create#chat_create-stream_options
  const usage = (used: TokenUsage) =>
    body?.stream_options?.include_usage ? frame({ choices: [], usage: reported(used) }) : '';
  return {
    path: /^\/v1\/chat\/completions$/,
    basePath: '/v1',
    contentType: 'text/event-stream',
    start: () => chunk({ role: 'assistant', content: '' }),
    text: (content) => chunk({ content }),
    reasoning: (reasoning_content) => chunk({ reasoning_content }),
    // A comment, as OpenRouter sends them.
    keepAlive: () => ': PROCESSING\n\n',
    finish: (reason, used) => chunk({}, REASON[reason]) + usage(used) + DONE,
    refuse: () => chunk({ refusal: "I'm sorry, I cannot help with that." }) + chunk({}, 'stop') + usage(USAGE) + DONE,
    fault: (fault) =>
      `data: ${fault === 'overloaded' ? error(503, 'The model is overloaded') : error(500, 'Something went wrong')}\n\n`,
    refusal,
    error,
  };
};

/** What servers say about a parameter that they refuse. */
const REFUSED: Readonly<Record<string, string>> = {
  // https://github.com/griptape-ai/ComfyUI-Griptape/issues/312 (OpenAI)
  max_tokens:
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  // https://github.com/FlowiseAI/Flowise/issues/2866 (Fireworks)
  stream_options: "Extra inputs are not permitted, field: 'stream_options'",
  // https://github.com/openai/openai-python/issues/2194 (OpenAI)
  reasoning_effort: "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
};

/** Too many tokens: https://github.com/tailcallhq/forgecode/issues/1185 (OpenAI), https://github.com/stepfun-ai/Step-Audio-R1/issues/3 (vLLM). */
function refusal(body: Body, { outputTokens, contextTokens, refuses = [] }: Limits): Refusal | undefined {
  const refused = refuses.find((parameter) => at(body, parameter) !== undefined);
  if (refused !== undefined) return { status: 400, message: REFUSED[refused] ?? `Unknown field: ${refused}` };
  const asked = body.max_tokens ?? body.max_completion_tokens;
  if (outputTokens !== undefined && asked > outputTokens)
    return {
      status: 400,
      message: `max_tokens is too large: ${asked}. This model supports at most ${outputTokens} completion tokens, whereas you provided ${asked}.`,
    };
  if (contextTokens !== undefined && asked > contextTokens - PROMPT_TOKENS)
    return {
      status: 400,
      message: `'max_tokens' or 'max_completion_tokens' is too large: ${asked}. This model's maximum context length is ${contextTokens} tokens and your request has ${PROMPT_TOKENS} input tokens (${asked} > ${contextTokens} - ${PROMPT_TOKENS}).`,
    };
  return undefined;
}

function error(code: number, message: string): string {
  return JSON.stringify({ error: { message, type: 'error', param: null, code } });
}
