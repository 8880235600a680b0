import type { ProviderConfig } from '../../contract/providers.ts';

/** The configuration of a language model. */
export type ModelConfig = Extract<ProviderConfig, { readonly model: string }>;

/** The answers of strong models to the instructions have 7,000 to 21,000 tokens, those for a group fewer. */
const OUTPUT_TOKENS = 32_000;

/** Tokens of a project's files that fit into the context of most local models, and into that of every hosted one. */
const CONTEXT_TOKENS = { local: 24_000, hosted: 100_000 };

const PARALLEL = 4;

/** Addresses of this machine and its network. */
const LOCAL =
  /^(?:localhost|.*\.(?:localhost|local)|127\..*|10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|\[::1\])$/;

/** How a language model is called. */
export interface ModelSettings {
  readonly parallel: number;
  readonly quiet: boolean;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly reasoning: NonNullable<ModelConfig['reasoning']>;
}

/** Returns how a model is called, with the defaults of its vendor. */
export function settingsOf(config: ModelConfig): ModelSettings {
  const { kind, parallel, contextTokens, maxOutputTokens, reasoning = 'low' } = config;
  const isCompatible = kind === 'openai-compatible';
  // A model on this machine computes: several answers at once take as long as one after another.
  const usual = isCompatible && LOCAL.test(new URL(config.baseUrl).hostname) ? 1 : PARALLEL;
  return {
    parallel: parallel ?? usual,
    // Such servers may not stream what a model thinks; all vendors do.
    quiet: isCompatible && config.reasoning !== undefined && config.reasoning !== 'none',
    contextTokens: contextTokens ?? (isCompatible ? CONTEXT_TOKENS.local : CONTEXT_TOKENS.hosted),
    maxOutputTokens: maxOutputTokens ?? OUTPUT_TOKENS,
    reasoning,
  };
}
