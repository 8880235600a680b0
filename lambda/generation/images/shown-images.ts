import { GIF } from 'image-size/types/gif';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import type { AttemptRequest } from '../providers/provider.ts';

/** An image as a model gets it. */
export interface ShownImage {
  /** Its path in the project, or what it shows. */
  readonly label: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/** The most pixels of a side that all vendors accept: https://platform.claude.com/docs/en/build-with-claude/vision */
const SIDE_PIXELS = 8_000;

/**
 * Returns the images of the caller that a model is shown, except for repairs: those of its media types. A vendor would
 * reject the whole request for one that is damaged or too large.
 */
export function shownImages({ kind, images }: AttemptRequest, types: readonly string[]): ShownImage[] {
  if (kind === 'repair') return [];
  return images.flatMap(({ path, content }) => {
    const mediaType = imageTypeOf(path);
    if (typeof content === 'string' || !isShowable(mediaType, content, types)) return [];
    return [{ label: path, mediaType, content }];
  });
}

/** Returns the pictures of the page that a model is shown, if it accepts such images. */
export function shownScreenshots({ screenshots }: AttemptRequest, types: readonly string[]): ShownImage[] {
  const mediaType = 'image/png';
  return Array.from(screenshots ?? [], ([width, content]) => {
    return { label: `The page at a width of ${width} px`, mediaType, content };
  }).filter(({ content }) => isShowable(mediaType, content, types));
}

function isShowable(mediaType: string, content: Uint8Array, types: readonly string[]): boolean {
  const size = types.includes(mediaType) ? pixelSize(mediaType, content) : undefined;
  if (!size || Math.min(size.width, size.height) < 1) return false;
  return Math.max(size.width, size.height) <= SIDE_PIXELS;
}

/** By media type. Not the function of the library that detects types: it would parse many more formats. */
const READERS = new Map([
  ['image/png', PNG],
  ['image/jpeg', JPG],
  ['image/gif', GIF],
  ['image/webp', WEBP],
]);

/** The first value of EXIF's orientation for images that are shown on their side. */
const TURNED = 5;

interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the size at which a browser shows an image; undefined for other types, and for an image that is damaged. */
export function pixelSize(type: string, content: Uint8Array): PixelSize | undefined {
  const reader = READERS.get(type);
  try {
    // A copy, because the library reads beyond the end of a view.
    const bytes = new Uint8Array(content);
    if (!reader?.validate(bytes)) return undefined;
    const { width, height, orientation = 1 } = reader.calculate(bytes);
    return orientation < TURNED ? { width, height } : { width: height, height: width };
  } catch {
    return undefined;
  }
}

/**
 * The images that a project can have: extensions by media type, as uploads declare it. The first type of each is its
 * own.
 */
const EXTENSIONS = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/svg+xml', 'svg'],
  ['image/apng', 'png'],
  ['image/jpg', 'jpg'],
  ['image/pjpeg', 'jpg'],
]);

/** Returns the extension of an image of a media type; undefined for any other file. */
export function extensionOf(type: string): string | undefined {
  return EXTENSIONS.get(type);
}

/** Returns the media type of an image of a project. */
export function imageTypeOf(path: string): string {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  return [...EXTENSIONS].find(([, known]) => known === extension)?.[0] ?? '';
}
