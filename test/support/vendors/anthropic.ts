import type { TokenUsage } from '../../../lambda/contract/prices.ts';
import { type Body, type Fault, type Finish, type Limits, type Refusal, USAGE, type Wire } from './script.ts';

const event = (data: { type: string; [key: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const STOP: Readonly<Record<Finish, string>> = {
  complete: 'end_turn',
  length: 'max_tokens',
  refused: 'refusal',
};

/** https://docs.anthropic.com/en/api/messages-streaming */
export function anthropic(): Wire {
  const blocks: ('text' | 'thinking')[] = [];
  const endBlock = () => (blocks.length === 0 ? '' : event({ type: 'content_block_stop', index: blocks.length - 1 }));
  const piece = (type: 'text' | 'thinking', content: string) => {
    const frames = blocks.at(-1) === type ? [] : [endBlock(), startBlock(blocks.push(type) - 1, type)];
    const delta = { type: `${type}_delta`, [type]: content };
    return [...frames, event({ type: 'content_block_delta', index: blocks.length - 1, delta })].join('');
  };
  const finish = (reason: Finish, { input, cachedInput, cacheWrite, output, reasoning }: TokenUsage) =>
    [
      endBlock(),
      event({
        type: 'message_delta',
        delta: { stop_reason: STOP[reason], stop_sequence: null },
        // https://platform.claude.com/docs/en/build-with-claude/streaming: the counts are cumulative.
        usage: {
          input_tokens: input - cachedInput - cacheWrite,
          cache_read_input_tokens: cachedInput,
          cache_creation_input_tokens: cacheWrite,
          output_tokens: output,
          output_tokens_details: { thinking_tokens: reasoning },
        },
      }),
      event({ type: 'message_stop' }),
    ].join('');
  return {
    path: /^\/v1\/messages$/,
    basePath: '/v1',
    contentType: 'text/event-stream; charset=utf-8',
    start,
    text: (text) => piece('text', text),
    reasoning: (text) => piece('thinking', text),
    keepAlive: () => event({ type: 'ping' }),
    finish,
    refuse: () => finish('refused', USAGE),
    fault: (fault) => event({ type: 'error', error: FAULTS[fault] }),
    refusal,
    error: (status, message) =>
      JSON.stringify({ type: 'error', error: { type: TYPES[status] ?? 'api_error', message } }),
  };
}

/**
 * The parameters: https://docs.anthropic.com/en/api/messages. The number of cache marks:
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching. The budget:
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking. Models without thinking respond as in
 * https://github.com/elizaOS/eliza/pull/16175, and to too many tokens as in https://github.com/anthropics/claude-code/issues/24451.
 */
function refusal(body: Body, { outputTokens, refuses = [] }: Limits): Refusal | undefined {
  const { max_tokens, thinking, model } = body;
  if (max_tokens === undefined) return invalid('max_tokens: Field required');
  if (outputTokens !== undefined && max_tokens > outputTokens)
    return invalid(
      `max_tokens: ${max_tokens} > ${outputTokens}, which is the maximum allowed number of output tokens for ${model}`,
    );
  if (thinking?.budget_tokens >= max_tokens)
    return invalid('`max_tokens` must be greater than `thinking.budget_tokens`');
  if (thinking && refuses.includes('thinking'))
    return invalid(`${thinking.type} thinking is not supported on this model`);
  const marks = JSON.stringify(body).split('"cache_control"').length - 1;
  if (marks > 4) return invalid(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
  return undefined;
}

const invalid = (message: string): Refusal => ({ status: 400, message });

function start(): string {
  return event({
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'a-model',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 25, output_tokens: 1 },
    },
  });
}

function startBlock(index: number, type: 'text' | 'thinking'): string {
  const empty = type === 'text' ? { text: '' } : { thinking: '', signature: '' };
  return event({ type: 'content_block_start', index, content_block: { type, ...empty } });
}

const FAULTS: Readonly<Record<Fault, { type: string; message: string }>> = {
  overloaded: { type: 'overloaded_error', message: 'Overloaded' },
  broken: { type: 'api_error', message: 'Internal server error' },
};

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};
