import { GIF } from 'image-size/types/gif';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';

/** By media type. Not the function of the library that detects types: it would parse many more formats. */
const READERS = new Map([
  ['image/png', PNG],
  ['image/jpeg', JPG],
  ['image/gif', GIF],
  ['image/webp', WEBP],
]);

/** The first value of EXIF's orientation for images that are shown on their side. */
const TURNED = 5;

export interface PixelSize {
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
