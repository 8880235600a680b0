import type { Fault, Finish, Wire } from './script.ts';

const RESPONSE = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'a-model' };

const USAGE = {
  input_tokens: 25,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 15,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 40,
};

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export function openAi(): Wire {
  let sequence = 0;
  const items: ('message' | 'reasoning')[] = [];
  const event = (data: { type: string; [key: string]: unknown }) =>
    `event: ${data.type}\ndata: ${JSON.stringify({ ...data, sequence_number: sequence++ })}\n\n`;
  const itemOf = (type: 'message' | 'reasoning', index: number) => ({
    output_index: index,
    item: {
      id: `${type}_${index}`,
      type,
      ...(type === 'message' ? { role: 'assistant', content: [] } : { summary: [] }),
    },
  });
  const endItem = () => {
    const type = items.at(-1);
    return type === undefined
      ? ''
      : event({ type: 'response.output_item.done', ...itemOf(type, items.length - 1) });
  };
  const piece = (type: 'message' | 'reasoning', delta: string) => {
    const frames: string[] = [];
    if (items.at(-1) !== type) {
      frames.push(endItem());
      items.push(type);
      frames.push(event({ type: 'response.output_item.added', ...itemOf(type, items.length - 1) }));
    }
    const output_index = items.length - 1;
    const at = { item_id: `${type}_${output_index}`, output_index, delta };
    frames.push(
      type === 'message'
        ? event({ type: 'response.output_text.delta', content_index: 0, ...at })
        : event({ type: 'response.reasoning_summary_text.delta', summary_index: 0, ...at }),
    );
    return frames.join('');
  };
  const finish = (reason: Finish) => {
    const details = { complete: null, length: 'max_output_tokens', refused: 'content_filter' }[reason];
    const [status, incomplete_details] =
      details === null ? ['completed', null] : ['incomplete', { reason: details }];
    const response = { ...RESPONSE, status, incomplete_details, output: [], usage: USAGE };
    return endItem() + event({ type: `response.${status}`, response });
  };
  return {
    path: /^\/v1\/responses$/,
    basePath: '/v1',
    contentType: 'text/event-stream; charset=utf-8',
    start: () => event({ type: 'response.created', response: { ...RESPONSE, status: 'in_progress' } }),
    text: (text) => piece('message', text),
    reasoning: (text) => piece('reasoning', text),
    keepAlive: () =>
      event({ type: 'response.in_progress', response: { ...RESPONSE, status: 'in_progress' } }),
    finish,
    refuse: () => finish('refused'),
    fault: (fault) => event({ type: 'error', ...FAULTS[fault], param: null }),
    error: (status, message) =>
      JSON.stringify({ error: { message, type: TYPES[status] ?? 'server_error', param: null, code: null } }),
  };
}

/** https://platform.openai.com/docs/guides/error-codes */
const FAULTS: Readonly<Record<Fault, { code: string; message: string }>> = {
  overloaded: { code: 'rate_limit_exceeded', message: 'Rate limit reached for requests' },
  broken: { code: 'server_error', message: 'The server had an error while processing your request' },
};

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'invalid_request_error',
  403: 'invalid_request_error',
  429: 'rate_limit_error',
};
