import { pixelSize } from '../../../../lambda/generation/images/shown-images.ts';
import { GIF, png } from '../../../support/images.ts';

/** A JPEG's header with the orientation of a camera that was turned. */
const turned = Buffer.from(
  'ffd8ffe1001e45786966000049492a00080000000100120103000100000006000000ffc0000b080010002001011100',
  'hex',
);

it('reads the header of an image, and turns it as a browser does', () => {
  expect(pixelSize('image/png', png(30, 20))).toEqual({ width: 30, height: 20 });
  expect(pixelSize('image/gif', GIF)).toEqual({ width: 1, height: 1 });
  expect(pixelSize('image/jpeg', turned)).toEqual({ width: 16, height: 32 });
});

it('knows no size of a damaged image, of another type, or of one that is declared wrongly', () => {
  for (const length of [0, 4, 12, 20])
    expect(pixelSize('image/png', png(1, 1).subarray(0, length))).toBeUndefined();
  expect(pixelSize('image/jpeg', png(1, 1))).toBeUndefined();
  expect(pixelSize('image/jpeg', Buffer.from('ffd8ffe0', 'hex'))).toBeUndefined();
  expect(pixelSize('image/avif', png(1, 1))).toBeUndefined();
});
