import type { Locator } from 'playwright-core';

/** Of the element of a picture, what these tests use: they are compiled without the types of browsers. */
interface Picture {
  readonly naturalWidth: number;
  decode(): Promise<void>;
}

/** Waits for a number of pictures, and returns their widths in pixels. */
export async function widthsOf(images: Locator, count: number): Promise<number[]> {
  await images.nth(count - 1).waitFor();
  return images.evaluateAll((elements) =>
    Promise.all(
      (elements as unknown as Picture[]).map(async (picture) => {
        await picture.decode();
        return picture.naturalWidth;
      }),
    ),
  );
}
