import type { Body, Finish, Limits, Refusal, Wire } from './script.ts';

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
  finish: (reason, { input, cachedInput, output, reasoning }) =>
    event({
      candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, finishReason: REASON[reason], index: 0 }],
      // https://ai.google.dev/api/generate-content#UsageMetadata: the thoughts are not among the candidates.
      usageMetadata: {
        promptTokenCount: input,
        cachedContentTokenCount: cachedInput,
        candidatesTokenCount: output - reasoning,
        thoughtsTokenCount: reasoning,
        totalTokenCount: input + output,
      },
    }),
  refuse: () => event({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }),
  fault: (fault) =>
    `data: ${fault === 'overloaded' ? error(503, 'The model is overloaded.') : error(500, 'An internal error has occurred.')}\r\n\r\n`,
  refusal,
  error,
});

/**
 * The parameters: https://ai.google.dev/api/generate-content#v1beta.GenerationConfig. Too many tokens:
 * https://github.com/BerriAI/litellm/pull/10548. A model without thinking: https://github.com/googleapis/js-genai/issues/681.
 */
function refusal({ generationConfig }: Body, { outputTokens, refuses = [] }: Limits): Refusal | undefined {
  const { maxOutputTokens, thinkingConfig } = generationConfig ?? {};
  if (outputTokens !== undefined && maxOutputTokens > outputTokens)
    return {
      status: 400,
      message: `Unable to submit request because it has a maxOutputTokens value of ${maxOutputTokens} but the supported range is from 1 (inclusive) to ${outputTokens + 1} (exclusive). Update the value and try again.`,
    };
  if (refuses.includes('thinkingConfig') && thinkingConfig)
    return {
      status: 400,
      message: 'Unable to submit request because thinking is not supported by this model.',
    };
  return undefined;
}

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
