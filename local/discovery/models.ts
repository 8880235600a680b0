import type { ConfigOf } from '../../lambda/contract/providers.ts';

type HostedModel = ConfigOf<'anthropic' | 'openai' | 'google' | 'openai-compatible'>;

/**
 * Vendors, best first, with the model for each: generally available, and in the price range of everyday work. Checked on
 * 2026-11-22 in the model lists of platform.claude.com, developers.openai.com, ai.google.dev
 * and openrouter.ai (an alias of the current model). All accept images.
 */
export const VENDORS: readonly (readonly [
  name: string,
  provider: HostedModel & { readonly apiKey: string },
])[] = [
  ['Anthropic', { kind: 'anthropic', model: 'claude-sonnet-5-5', apiKey: 'ANTHROPIC_API_KEY' }],
  ['OpenAI', { kind: 'openai', model: 'gpt-6.1-sol', apiKey: 'OPENAI_API_KEY' }],
  ['Google', { kind: 'google', model: 'gemini-3.8-flash', apiKey: 'GOOGLE_GENERATIVE_AI_API_KEY' }],
  [
    'OpenRouter',
    {
      kind: 'openai-compatible',
      baseUrl: 'https://openrouter.ai/api/v1',
      model: '~anthropic/claude-sonnet-latest',
      apiKey: 'OPENROUTER_API_KEY',
      images: true,
    },
  ],
];

/** Families of local models that write code, best first; any other model follows. */
const FAMILIES = 'qwen3.*coder|qwen.*coder|devstral|deepseek.*coder|codestral|gpt-oss|code'
  .split('|')
  .map((pattern) => new RegExp(pattern, 'i'));

/** An id is printed on the terminal and becomes part of the template. */
const PRINTABLE = /^[ -~]{1,200}$/;

/** Embeddings, classifiers, speech, and base models, which only complete text. */
const CANNOT_CHAT = /embed|rerank|guard|whisper|tts|\b(bge|minilm|clip)\b|-base\b/i;

/** A model in the list of a server; `size` in bytes, if the list has it. */
export interface ListedModel {
  readonly id: string;
  readonly size?: number | undefined;
}

/** Returns the model that writes code best: of the best family, the largest. */
export function bestModel(models: readonly ListedModel[]): string | undefined {
  const rank = ({ id }: ListedModel) => {
    const family = FAMILIES.findIndex((pattern) => pattern.test(id));
    return family < 0 ? FAMILIES.length : family;
  };
  return models
    .filter(({ id }) => PRINTABLE.test(id) && !CANNOT_CHAT.test(id))
    .toSorted((a, b) => rank(a) - rank(b) || (b.size ?? 0) - (a.size ?? 0))[0]?.id;
}
