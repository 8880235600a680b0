import type { Finish, Wire } from './script.ts';

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'a-model',
    choices: [{ index: 0, delta, finish_reason }],
  })}\n\n`;

const DONE = 'data: [DONE]\n\n';

const REASON: Readonly<Record<Finish, string>> = {
  complete: 'stop',
  length: 'length',
  refused: 'content_filter',
};

/** https://platform.openai.com/docs/api-reference/chat-streaming */
export const openAiCompatible = (): Wire => ({
  path: /^\/v1\/chat\/completions$/,
  basePath: '/v1',
  contentType: 'text/event-stream',
  start: () => chunk({ role: 'assistant', content: '' }),
  text: (content) => chunk({ content }),
  reasoning: (reasoning_content) => chunk({ reasoning_content }),
  // A comment, as OpenRouter sends them.
  keepAlive: () => ': PROCESSING\n\n',
  finish: (reason) => chunk({}, REASON[reason]) + DONE,
  refuse: () => chunk({ refusal: "I'm sorry, I cannot help with that." }) + chunk({}, 'stop') + DONE,
  fault: (fault) =>
    `data: ${fault === 'overloaded' ? error(503, 'The model is overloaded') : error(500, 'Something went wrong')}\n\n`,
  error,
});

function error(code: number, message: string): string {
  return JSON.stringify({ error: { message, type: 'error', param: null, code } });
}
