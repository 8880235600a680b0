import type { ModelConfig } from '../../contract/providers.ts';
import { isPublicHost } from '../../platform/webhook-url.ts';
import type { Provider } from './provider.ts';

/** How many calls a vendor's servers take at the same time. */
const PARALLEL = 4;

/** Less than the context of the vendors' models, and about what a long answer costs. */
const CONTEXT_TOKENS = 100_000;

/** Less than the context of most local models, and enough for a project of this service. */
const SMALL_CONTEXT_TOKENS = 24_000;

/** Returns what is known about a provider by its configuration, without the SDK. */
export function traitsOf(config: ModelConfig): Omit<Provider, 'write'> {
  return {
    model: config.model,
    quiet: isQuiet(config),
    parallel: config.parallel ?? (isLocal(config) ? 1 : PARALLEL),
  };
}

/** Returns how many tokens of a project's files the model is shown. */
export function contextTokensOf({ kind, contextTokens }: ModelConfig): number {
  return contextTokens ?? (kind === 'openai-compatible' ? SMALL_CONTEXT_TOKENS : CONTEXT_TOKENS);
}

/** Anthropic, Google and Bedrock stream the reasoning; OpenAI sends summaries of it, late, and to verified organizations only. */
function isQuiet({ kind, reasoning }: ModelConfig): boolean {
  if (kind === 'openai') return reasoning !== 'none';
  return kind === 'openai-compatible' && reasoning !== undefined && reasoning !== 'none';
}

/** Returns whether the model computes on this machine or its network, where parallel calls slow each other down. */
function isLocal(config: ModelConfig): boolean {
  return config.kind === 'openai-compatible' && !isPublicHost(new URL(config.baseUrl).hostname);
}
