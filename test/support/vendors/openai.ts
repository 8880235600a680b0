import type { TokenUsage } from '../../../lambda/contract/prices.ts';
import { at, type Body, type Fault, type Finish, type Limits, type Refusal, USAGE, type Wire } from './script.ts';

const RESPONSE = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'a-model' };

/** https://developers.openai.com/api/docs/guides/prompt-caching */
function reported({ input, cachedInput, cacheWrite, output, reasoning }: TokenUsage) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

const FAULTS: Readonly<Record<Fault, { code: string; message: string }>> = {
  overloaded: { code: 'rate_limit_exceeded', message: 'Rate limit reached for a-model' },
  broken: { code: 'server_error', message: 'An error occurred while processing your request.' },
};

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export function openai(): Wire {
  let number = 0;
  const event = (type: string, data: object = {}) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...data })}\n\n`;
  const items: ('message' | 'reasoning')[] = [];
  const place = () => ({ output_index: items.length - 1, item_id: `item_${items.length}` });
  const item = () => ({
    id: `item_${items.length}`,
    type: items.at(-1),
    ...CONTENT[items.at(-1) ?? 'message'],
  });
  const endItem = () =>
    items.length === 0 ? '' : event('response.output_item.done', { output_index: items.length - 1, item: item() });
  const startItem = (type: 'message' | 'reasoning') => {
    if (items.at(-1) === type) return '';
    const ended = endItem();
    items.push(type);
    const added = event('response.output_item.added', { output_index: items.length - 1, item: item() });
    const part = { ...place(), content_index: 0, summary_index: 0, part: { type: 'output_text', text: '' } };
    const partType = type === 'message' ? 'response.content_part.added' : 'response.reasoning_summary_part.added';
    return ended + added + event(partType, part);
  };
  const terminal = (type: 'completed' | 'incomplete' | 'failed', more: object = {}) =>
    event(`response.${type}`, { response: { ...RESPONSE, status: type, usage: reported(USAGE), ...more } });
  return {
    path: /^\/v1\/responses$/,
    basePath: '/v1',
    contentType: 'text/event-stream; charset=utf-8',
    start: () =>
      event('response.created', { response: { ...RESPONSE, status: 'in_progress' } }) +
      event('response.in_progress', { response: { ...RESPONSE, status: 'in_progress' } }),
    text: (delta) =>
      startItem('message') + event('response.output_text.delta', { ...place(), content_index: 0, delta }),
    reasoning: (delta) =>
      startItem('reasoning') + event('response.reasoning_summary_text.delta', { ...place(), summary_index: 0, delta }),
    // Not in the reference: https://github.com/openai/openai-node/issues/1964
    keepAlive: () => event('keepalive'),
    finish: (reason, used) =>
      endItem() +
      (reason === 'complete'
        ? terminal('completed', { usage: reported(used) })
        : terminal('incomplete', {
            usage: reported(used),
            incomplete_details: { reason: INCOMPLETE[reason] },
          })),
    refuse: () => {
      const refusal = "I'm sorry, I cannot help with that.";
      return [
        startItem('message'),
        event('response.refusal.delta', { ...place(), content_index: 0, delta: refusal }),
        event('response.refusal.done', { ...place(), content_index: 0, refusal }),
        endItem(),
        terminal('completed'),
      ].join('');
    },
    fault: (fault) =>
      fault === 'broken' ? terminal('failed', { error: FAULTS.broken }) : event('error', FAULTS[fault]),
    refusal,
    error: (code, message) => JSON.stringify({ error: { message, type: 'error', param: null, code } }),
  };
}

const CONTENT = {
  message: { role: 'assistant', content: [] },
  reasoning: { summary: [], encrypted_content: 'c2VjcmV0' },
};

const INCOMPLETE: Readonly<Record<Exclude<Finish, 'complete'>, string>> = {
  length: 'max_output_tokens',
  refused: 'content_filter',
};

/** What OpenAI says about a parameter that a model or an account does not support. */
const REFUSED: Readonly<Record<string, string>> = {
  // https://github.com/openai/openai-python/issues/2194
  reasoning: "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
  // https://github.com/openai/openai-cookbook/issues/2271
  'reasoning.summary':
    'Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.',
};

/**
 * The parameters: https://platform.openai.com/docs/api-reference/responses/create. Too many tokens, in the wording for integers:
 * https://github.com/Gitlawb/openclaude/issues/331.
 */
function refusal(body: Body, { outputTokens, refuses = [] }: Limits): Refusal | undefined {
  const unknown = ['max_tokens', 'max_completion_tokens', 'reasoning_effort'].find(
    (parameter) => body[parameter] !== undefined,
  );
  if (unknown !== undefined) return { status: 400, message: `Unknown parameter: '${unknown}'.` };
  const refused = refuses.find((parameter) => at(body, parameter) !== undefined);
  if (refused !== undefined) return { status: 400, message: REFUSED[refused] ?? refused };
  if (outputTokens !== undefined && body.max_output_tokens > outputTokens)
    return {
      status: 400,
      message: `Invalid 'max_output_tokens': integer above maximum value. Expected a value <= ${outputTokens}, but got ${body.max_output_tokens} instead.`,
    };
  return undefined;
}
