import type { AttemptRequest } from '../providers/provider.ts';
import { imageTypeOf } from './image-type.ts';
import { pixelSize } from './pixel-size.ts';

/** An image as a model gets it. */
export interface ShownImage {
  readonly path: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/** The most pixels of a side that all vendors accept: https://platform.claude.com/docs/en/build-with-claude/vision */
const SIDE_PIXELS = 8_000;

/**
 * Returns the images that a model is shown: for a plan and for writing, those of its media types. A vendor would reject the
 * whole request for one that is damaged or too large.
 */
export function shownImages({ kind, images }: AttemptRequest, types: readonly string[]): ShownImage[] {
  if (kind === 'repair') return [];
  return images.flatMap(({ path, content }) => {
    const mediaType = imageTypeOf(path);
    if (typeof content === 'string' || !types.includes(mediaType)) return [];
    const size = pixelSize(mediaType, content);
    if (!size || Math.min(size.width, size.height) < 1) return [];
    return Math.max(size.width, size.height) <= SIDE_PIXELS ? [{ path, mediaType, content }] : [];
  });
}
