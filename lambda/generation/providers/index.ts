import { setTimeout } from 'node:timers/promises';
import { editStarter } from '../../../blueprints/edits/edit.ts';
import { compose, matchPrompt } from '../../../blueprints/engine/compose.ts';
import type { MostTokens, Prices } from '../../contract/prices.ts';
import type { ModelConfig, ProviderConfig, ReasoningEffort } from '../../contract/providers.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import type { ProjectImage } from '../../stored/projects/stored-project.ts';
import { pixelSize, shownImages, shownScreenshots } from '../images/shown-images.ts';
import { instructionsFor } from '../instructions.ts';
import { learnedOutputTokens } from './adapt.ts';
import { type AttemptRequest, FREE, type Provider, type ProviderEvent, ProviderFailure } from './provider.ts';
import { acceptsImages, contextTokensOf, maxOutputTokensOf, traitsOf } from './traits.ts';

/** The dependencies of providers, besides their configuration. */
interface ProviderSettings {
  readonly secret: ReadSecret;
  /** The configured prices. */
  readonly prices: Prices;
  readonly clock: Clock;
}

/** Returns the configured provider. Its code and its secret are loaded only when it writes. */
export function createProvider(config: ProviderConfig, settings: ProviderSettings): Provider {
  if (config.kind === 'blueprint') return blueprint;
  if (config.kind === 'scripted') return scriptedProvider(config);
  return modelOf(config, settings);
}

/** Loads the AI SDK when a model writes: it is most of the cold start, and `blueprint` does not need it. */
function modelOf(config: ModelConfig, { secret, prices, clock }: ProviderSettings): Provider {
  const traits = traitsOf(config, prices, clock());
  return {
    ...traits,
    mostTokens: (request) => (traits.isFree ? FREE.mostTokens() : mostTokensOf(config, request)),
    async *write(request, signal) {
      const { vendorProvider } = await import('./vendors.ts');
      yield* (await vendorProvider(config, secret)).write(request, signal);
    },
  };
}

type Script = Extract<ProviderConfig, { kind: 'scripted' }>;

const PAGE = '<file path="index.html">\n<!doctype html>\n<title>Scripted</title>\n</file>\n';

const text = (chunk: string): ProviderEvent => ({ type: 'text', text: chunk });

/** Returns a provider with configured behavior, for tests of the code around providers. */
export function scriptedProvider({ script, delayMs }: Script): Provider {
  return {
    model: 'scripted',
    parallel: 1,
    quiet: false,
    ...FREE,
    async *write(_request, signal) {
      switch (script) {
        case 'answer':
          await setTimeout(delayMs, undefined, { signal });
          yield text(PAGE);
          yield text('<done/>\n');
          return yield { type: 'end', reason: 'complete' };
        case 'hang':
          return await new Promise(() => {});
        case 'block':
          // Blocks the thread: the attempt's own deadlines cannot fire, only the state machine's timeout does.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
          return;
        case 'fail':
          throw new ProviderFailure('failed', 'scripted to fail');
        case 'cut':
          yield text(PAGE.slice(0, PAGE.indexOf('</file>')));
      }
    },
  };
}

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
/** Google's tokens for the smallest image at the highest resolution, and Claude's for the largest one. */
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
function mostTokensOf(config: ModelConfig, request: AttemptRequest): MostTokens {
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

/** The embedded provider: chooses a starter and fills it in from the prompt. Deterministic, without network or key. */
const blueprint: Provider = {
  model: 'blueprint',
  parallel: 1,
  quiet: false,
  repairs: false,
  ...FREE,
  async *write(request) {
    if (request.edits) return yield* edit(request);
    const { prompt, duration, files, images, data } = request;
    const project = compose(prompt, duration, { pictures: images.map(pictureOf), data });
    const end = { type: 'end', reason: 'complete', matched: matchPrompt(prompt, data) } as const;
    if (duration !== 'auto') {
      const lines = project.map(({ path }) => `${path}: part of the starter project\n`);
      yield { type: 'text', text: `<plan>\n${lines.join('')}</plan>\n` };
    }
    const written = new Set(files.map(({ path }) => path));
    for (const { path, content } of project) {
      if (written.has(path)) continue;
      yield fileText(path, content);
    }
    yield { type: 'text', text: '<done/>\n' };
    yield end;
  },
};

/** Describes an image by the name that its owner gave it. */
function pictureOf({ path }: ProjectImage) {
  const name = path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('.'));
  return { src: path, alt: name.replaceAll(/[-_]+/g, ' ').trim() };
}

function fileText(path: string, content: string): ProviderEvent {
  const lineFeed = content === '' || content.endsWith('\n') ? '' : '\n';
  return { type: 'text', text: `<file path="${path}">\n${content}${lineFeed}</file>\n` };
}

/**
 * Makes simple edits, and refuses others. Leaves out files that would not stay byte for byte in the output protocol.
 */
async function* edit({ prompt, files, origin, data }: AttemptRequest): AsyncGenerator<ProviderEvent> {
  const texts = files.flatMap(({ path, content }) =>
    content?.endsWith('\n') && !content.includes('\r') ? [{ path, content }] : [],
  );
  const edited = editStarter(prompt, texts, origin, data);
  if ('refusal' in edited) return yield { type: 'end', reason: 'refused', refusal: edited.refusal };
  for (const { path, content } of edited.changed) yield fileText(path, content);
  yield { type: 'text', text: '<done/>\n' };
  yield { type: 'end', reason: 'complete' };
}
