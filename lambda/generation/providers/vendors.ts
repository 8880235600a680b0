import type { ConfigOf, ModelConfig } from '../../contract/providers.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { RENAMED_LIMIT, without } from './adapt.ts';
import { modelProvider, type Vendor } from './ai-sdk.ts';
import { type Provider, ProviderFailure } from './provider.ts';
import { isThinkingClaude } from './traits.ts';

/**
 * Returns how to write with a model of a vendor. The package of the SDK for the vendor is loaded here, because each of
 * them takes a part of a cold start.
 */
export async function vendorProvider(config: ModelConfig, secret: ReadSecret): Promise<Pick<Provider, 'write'>> {
  switch (config.kind) {
    case 'anthropic':
      return modelProvider(config, secret, await anthropic(config));
    case 'bedrock':
      return withInstructions(modelProvider(config, secret, await bedrock(config)));
    case 'google':
      return modelProvider(config, secret, await google(config));
    case 'openai':
      return modelProvider(config, secret, await openai(config));
    case 'openai-compatible':
      return modelProvider(config, secret, await openAiCompatible(config));
  }
}

/**
 * The media types that all vendors but Google accept:
 * - https://platform.claude.com/docs/en/build-with-claude/vision
 * - https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageBlock.html
 * - https://platform.openai.com/docs/guides/images-vision
 */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
const CLAUDE_CACHE_MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** A model of Bedrock, or a gateway with Anthropic's protocol, may not know the marks. */
const CACHE_RULES = [without('cache marks', /prompt cach|cache_?(?:control|point)/i)];

/** Anthropic's Messages API. */
async function anthropic({ model }: ConfigOf<'anthropic'>): Promise<Vendor> {
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  return {
    imageTypes: IMAGE_TYPES,
    reasoning: isThinkingClaude(model) ? 'low' : undefined,
    rules: CACHE_RULES,
    cacheMark: CLAUDE_CACHE_MARK,
    model: (settings) => createAnthropic(settings)(model),
  };
}

/**
 * Bedrock refuses cache points for other models:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
 */
const BEDROCK_CACHES = /anthropic\.claude-|amazon\.nova-/;
const BEDROCK_CACHE_MARK = { amazonBedrock: { cachePoint: { type: 'default' } } };

/** Without a display, newer models of Anthropic think silently. */
const BEDROCK_THOUGHTS = { amazonBedrock: { reasoningConfig: { display: 'summarized' } } };

/** Bedrock's Converse API, with the credentials and by default the region of the function. */
async function bedrock({ model, region: configured }: ConfigOf<'bedrock'>): Promise<Vendor> {
  const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
  const region = configured === undefined ? {} : { region: configured };
  const isClaude = model.includes('anthropic.');
  return {
    imageTypes: IMAGE_TYPES,
    reasoning: isThinkingClaude(model) ? 'low' : undefined,
    rules: CACHE_RULES,
    ...(BEDROCK_CACHES.test(model) && { cacheMark: BEDROCK_CACHE_MARK }),
    model: (settings) => createAmazonBedrock({ ...settings, ...region })(model),
    providerOptions: ({ reasoning }) =>
      isClaude && reasoning !== undefined && reasoning !== 'none' ? BEDROCK_THOUGHTS : {},
  };
}

/**
 * The errors of a model without a subscription in AWS Marketplace (AccessDeniedException), and of one of Anthropic's
 * without the use case form (ResourceNotFoundException).
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-access.html
 */
const NO_ACCESS = /^HTTP (403|404): .*(access|marketplace|use case)/i;
const ACCESS_INSTRUCTION =
  'The account needs a Marketplace subscription of the model, and for Anthropic the use case form: call the model once in the Bedrock console';

/** Adds to an error of Bedrock how to get access to a model. */
function withInstructions(provider: Pick<Provider, 'write'>): Pick<Provider, 'write'> {
  return {
    async *write(request, signal) {
      try {
        yield* provider.write(request, signal);
      } catch (error) {
        if (!(error instanceof ProviderFailure) || !NO_ACCESS.test(error.message)) throw error;
        const { message, isRejected } = error;
        throw new ProviderFailure('credentials', `${message}. ${ACCESS_INSTRUCTION}`, { isRejected });
      }
    },
  };
}

/** https://ai.google.dev/gemini-api/docs/image-understanding */
const GOOGLE_IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** https://ai.google.dev/gemini-api/docs/thinking: the models from Gemini 2.5. */
const GEMINI_THINKS = /gemini-(?!1|2\.0|pro-vision)/;

/** Without thoughts, a model that thinks is silent. */
const GEMINI_THOUGHTS = { google: { thinkingConfig: { includeThoughts: true } } };

/** Google's Gemini API. */
async function google({ model }: ConfigOf<'google'>): Promise<Vendor> {
  const { createGoogle } = await import('@ai-sdk/google');
  return {
    imageTypes: GOOGLE_IMAGE_TYPES,
    reasoning: GEMINI_THINKS.test(model) ? 'low' : undefined,
    model: (settings) => createGoogle(settings)(model),
    providerOptions: ({ reasoning }) => (reasoning === undefined || reasoning === 'none' ? {} : GEMINI_THOUGHTS),
  };
}

/**
 * Only verified organizations get summaries: https://help.openai.com/en/articles/10910291-api-organization-verification
 */
const OPENAI_RULES = [without('reasoning summary', /reasoning summar|reasoning\.summary/)];

/** OpenAI's Responses API. */
async function openai({ model, reasoning }: ConfigOf<'openai'>): Promise<Vendor> {
  const { createOpenAI } = await import('@ai-sdk/openai');
  return {
    imageTypes: IMAGE_TYPES,
    // The SDK leaves it out for the models that do not reason.
    reasoning: 'low',
    rules: OPENAI_RULES,
    model: (settings) => createOpenAI(settings).responses(model),
    providerOptions: (options) => {
      const reasons = options.reasoning !== undefined && options.reasoning !== 'none';
      const summarizes = reasons && !options.without.includes('reasoning summary');
      return {
        openai: {
          // By default, OpenAI keeps responses for 30 days.
          store: false,
          reasoningSummary: summarizes ? 'auto' : null,
          // The SDK does not know every model that reasons.
          ...(reasoning !== undefined && reasons && { forceReasoning: true }),
        },
      };
    },
  };
}

/**
 * Parameters that OpenAI's newer models and some other servers do not accept:
 * - https://platform.openai.com/docs/api-reference/chat/create#chat_create-max_tokens
 * - https://github.com/openai/openai-agents-python/issues/442 (Mistral)
 */
const COMPATIBLE_RULES = [RENAMED_LIMIT, without('stream_options', /stream_options|include_usage/)];

/** A server that is compatible with OpenAI's chat completions API. */
async function openAiCompatible({ kind, model, baseUrl }: ConfigOf<'openai-compatible'>): Promise<Vendor> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return {
    imageTypes: IMAGE_TYPES,
    reasoning: undefined,
    rules: COMPATIBLE_RULES,
    model: (settings, options) =>
      createOpenAICompatible({
        ...settings,
        baseURL: baseUrl,
        name: kind,
        includeUsage: !options.without.includes('stream_options'),
        transformRequestBody:
          options.without.includes('max_tokens') && !options.without.includes('output limit')
            ? ({ max_tokens, ...body }) => ({ ...body, max_completion_tokens: max_tokens })
            : (body) => body,
      })(model),
  };
}
