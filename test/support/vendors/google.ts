import type { Finish, Wire } from './script.ts';

const event = (data: object) =>
  `data: ${JSON.stringify({ ...data, modelVersion: 'a-model', responseId: 'r' })}\r\n\r\n`;

const parts = (...parts: object[]) =>
  event({
    candidates: [{ content: { parts, role: 'model' }, index: 0 }],
    usageMetadata: { promptTokenCount: 25, totalTokenCount: 25 },
  });

const REASON: Readonly<Record<Finish, string>> = {
  complete: 'STOP',
  length: 'MAX_TOKENS',
  refused: 'SAFETY',
};

/** https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent */
export const google = (): Wire => ({
  path: /^\/v1beta\/models\/[^/:]+:streamGenerateContent\?alt=sse$/,
  basePath: '/v1beta',
  contentType: 'text/event-stream',
  // There is no special first event; this one has no text yet.
  start: () => parts({ text: '' }),
  text: (text) => parts({ text }),
  reasoning: (text) => parts({ text, thought: true }),
  keepAlive: () => parts({ text: '' }),
  finish: (reason) =>
    event({
      candidates: [
        { content: { parts: [{ text: '' }], role: 'model' }, finishReason: REASON[reason], index: 0 },
      ],
      usageMetadata: { promptTokenCount: 25, candidatesTokenCount: 15, totalTokenCount: 40 },
    }),
  refuse: () => event({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }),
  fault: (fault) =>
    `data: ${fault === 'overloaded' ? error(503, 'The model is overloaded.') : error(500, 'An internal error has occurred.')}\r\n\r\n`,
  error,
});

function error(code: number, message: string): string {
  return JSON.stringify({ error: { code, message, status: STATUS[code] ?? 'UNKNOWN' } });
}

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};
