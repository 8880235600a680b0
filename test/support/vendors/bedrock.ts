import { crc32 } from 'node:zlib';
import type { TokenUsage } from '../../../lambda/contract/prices.ts';
import { type Body, type Fault, type Finish, type Limits, type Refusal, USAGE, type Wire } from './script.ts';

const STOP: Readonly<Record<Finish, string>> = {
  complete: 'end_turn',
  length: 'max_tokens',
  refused: 'guardrail_intervened',
};

const FAULTS: Readonly<Record<Fault, [type: string, message: string]>> = {
  overloaded: ['throttlingException', 'Too many tokens, please wait before trying again.'],
  broken: ['modelStreamErrorException', 'The system encountered an unexpected error during processing.'],
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
export function bedrock(): Wire {
  const blocks: ('text' | 'reasoning')[] = [];
  const endBlock = () =>
    blocks.length === 0 ? Buffer.of() : event('contentBlockStop', { contentBlockIndex: blocks.length - 1 });
  const piece = (type: 'text' | 'reasoning', text: string) => {
    const ended = blocks.length > 0 && blocks.at(-1) !== type ? endBlock() : Buffer.of();
    if (blocks.at(-1) !== type) blocks.push(type);
    const delta = type === 'text' ? { text } : { reasoningContent: { text } };
    // `p` is padding, which hides the length of the text.
    const payload = { contentBlockIndex: blocks.length - 1, delta, p: 'abcdefgh' };
    return Buffer.concat([ended, event('contentBlockDelta', payload)]);
  };
  const finish = (reason: Finish, usage: TokenUsage) =>
    Buffer.concat([endBlock(), event('messageStop', { stopReason: STOP[reason] }), event('metadata', metadata(usage))]);
  return {
    path: /^\/model\/[^/]+\/converse-stream$/,
    basePath: '',
    contentType: 'application/vnd.amazon.eventstream',
    start: () => event('messageStart', { role: 'assistant' }),
    text: (text) => piece('text', text),
    reasoning: (text) => piece('reasoning', text),
    // Bedrock has no keep-alive frame; some models send empty pieces.
    keepAlive: () => piece('text', ''),
    finish,
    refuse: () => finish('refused', USAGE),
    fault: (fault) => exception(...FAULTS[fault]),
    refusal,
    error: (_status, text) => JSON.stringify({ message: text }),
  };
}

/**
 * The parameters: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InferenceConfiguration.html. Too many
 * tokens: https://github.com/sigoden/aichat/pull/813. A model without prompt caching: https://github.com/BerriAI/litellm/pull/39210.
 */
function refusal(body: Body, { outputTokens, refuses = [] }: Limits): Refusal | undefined {
  const { inferenceConfig, additionalModelRequestFields } = body;
  if (outputTokens !== undefined && inferenceConfig?.maxTokens > outputTokens)
    return {
      status: 400,
      message: `The maximum tokens you requested exceeds the model limit of ${outputTokens}. Try again with a maximum tokens value that is lower than ${outputTokens}.`,
    };
  if (refuses.includes('cachePoint') && JSON.stringify(body).includes('"cachePoint"'))
    return {
      status: 403,
      message: 'You invoked an unsupported model or your request did not allow prompt caching.',
    };
  if (refuses.includes('thinking') && additionalModelRequestFields?.thinking)
    return {
      status: 400,
      message: 'The model returned the following errors: adaptive thinking is not supported on this model',
    };
  return undefined;
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html: input is what was not cached. */
function metadata({ input, cachedInput, cacheWrite, output }: TokenUsage) {
  return {
    metrics: { latencyMs: 100 },
    usage: {
      inputTokens: input - cachedInput - cacheWrite,
      cacheReadInputTokens: cachedInput,
      cacheWriteInputTokens: cacheWrite,
      outputTokens: output,
      totalTokens: input + output,
    },
  };
}

const JSON_TYPE = { ':content-type': 'application/json' };

function event(type: string, payload: object): Buffer {
  return message({ ':event-type': type, ...JSON_TYPE, ':message-type': 'event' }, payload);
}

function exception(type: string, text: string): Buffer {
  return message({ ':exception-type': type, ...JSON_TYPE, ':message-type': 'exception' }, { message: text });
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html shows the framing of event streams. */
function message(headers: Readonly<Record<string, string>>, payload: object): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)));
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(8 + 4 + head.length + body.length + 4, 0);
  prelude.writeUInt32BE(head.length, 4);
  const checked = Buffer.concat([prelude, uint32(crc32(prelude)), head, body]);
  return Buffer.concat([checked, uint32(crc32(checked))]);
}

function header(name: string, value: string): Buffer {
  const STRING = 7;
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([Buffer.of(name.length), Buffer.from(name), Buffer.of(STRING), length, Buffer.from(value)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
