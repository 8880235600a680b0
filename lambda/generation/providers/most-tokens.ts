import type { MostTokens } from '../../contract/prices.ts';
import type { ModelConfig, ReasoningEffort } from '../../contract/providers.ts';
import { pixelSize, shownImages, shownScreenshots } from '../images/shown-images.ts';
import { instructionsFor } from '../instructions.ts';
import { learnedOutputTokens } from './adapt.ts';
import type { AttemptRequest } from './provider.ts';
import { acceptsImages, contextTokensOf, maxOutputTokensOf } from './traits.ts';

/** Tokens of source code have more bytes on average, and those of prose have 4. */
const BYTES_PER_TOKEN = 3;

/** Tokens that vendors add around the parts of a message. */
const FRAME_TOKENS = 200;

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/**
 * The tokens of an image: one and a fifth for each square of 32 pixels (OpenAI), which is more than 258 for each tile
 * of 768 pixels (Google). Claude has smaller squares, but scales images down to a maximum.
 * - https://developers.openai.com/api/docs/guides/images-vision
 * - https://ai.google.dev/gemini-api/docs/tokens and /media-resolution
 * - https://platform.claude.com/docs/en/build-with-claude/vision
 */
const SQUARE_PIXELS = 32;
const TOKENS_PER_SQUARE = 1.2;
/** Of Google, for the smallest image at the highest resolution; of Claude, for the largest one. */
const LEAST_IMAGE_TOKENS = 2_240;
const MOST_CLAUDE_IMAGE_TOKENS = 4_784;

/**
 * The Claude models whose thinking has a budget that the SDK adds to the length of the answer: a part of their own
 * limit.
 */
const BUDGET_CLAUDE = /claude-(?:3-7|(?:opus|sonnet|haiku)-4(?!-?[6-9]))/;
const BUDGET_CLAUDE_OUTPUT = 64_000;
const BUDGET_PARTS: Readonly<Record<ReasoningEffort, number>> = { none: 0, low: 0.1, medium: 0.3, high: 0.6 };

/** Returns the most tokens that a call of a model can use, from the size of its instructions and images. */
export function mostTokensOf(config: ModelConfig, request: AttemptRequest): MostTokens {
  const longest = learnedOutputTokens(config) ?? maxOutputTokensOf(config);
  const limits = { context: contextTokensOf(config), output: longest };
  const { system, shared, prompt } = instructionsFor(request, limits);
  const bytes = [system, shared, prompt].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return {
    input: Math.ceil(bytes / BYTES_PER_TOKEN) + FRAME_TOKENS + imageTokens(config, request),
    output: longest + thinkingTokens(config),
  };
}

function imageTokens(config: ModelConfig, request: AttemptRequest): number {
  if (!acceptsImages(config)) return 0;
  const most = config.model.includes('claude') ? MOST_CLAUDE_IMAGE_TOKENS : Number.POSITIVE_INFINITY;
  const shown = [...shownImages(request, IMAGE_TYPES), ...shownScreenshots(request, IMAGE_TYPES)];
  return shown.reduce((sum, { mediaType, content }) => {
    const { width, height } = pixelSize(mediaType, content) ?? { width: 0, height: 0 };
    const squares = Math.ceil(width / SQUARE_PIXELS) * Math.ceil(height / SQUARE_PIXELS);
    const tokens = Math.ceil(squares * TOKENS_PER_SQUARE);
    return sum + Math.min(most, Math.max(LEAST_IMAGE_TOKENS, tokens));
  }, 0);
}

function thinkingTokens({ model, reasoning = 'low' }: ModelConfig): number {
  return BUDGET_CLAUDE.test(model) ? Math.ceil(BUDGET_CLAUDE_OUTPUT * BUDGET_PARTS[reasoning]) : 0;
}
