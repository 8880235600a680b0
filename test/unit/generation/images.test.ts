import { givenImages, type UploadedImage } from '../../../lambda/generation/images/given-images.ts';
import { pixelSize } from '../../../lambda/generation/images/shown-images.ts';
import { pathProblem } from '../../../lambda/sites/paths.ts';
import { GIF, png } from '../../support/images.ts';
import { testRows } from '../../support/rows.ts';

const image = (name: string | undefined, extension = 'png', content: Uint8Array = png(1, 1)): UploadedImage => ({
  name,
  extension,
  content,
});
const file = (path: string, content: string | Uint8Array = '') => ({
  path,
  content,
  size: Buffer.byteLength(content),
});
const pathsOf = (images: readonly UploadedImage[], project: Parameters<typeof givenImages>[1] = []) =>
  givenImages(images, project).map(({ path }) => path);

testRows([
  ['Team Photo.JPEG', 'assets/team-photo.jpg'],
  ['Größe (1).v2.jpg', 'assets/gro-e-1-v2.jpg'],
  ['../../../etc/passwd', 'assets/passwd.jpg'],
  ['C:\\Users\\me\\logo.jpg', 'assets/logo.jpg'],
  ['CON.jpg', 'assets/image-con.jpg'],
  ['写真.jpg', 'assets/image.jpg'],
  ['.jpg', 'assets/image.jpg'],
  ['"><script>.html', 'assets/script.jpg'],
  ['%2e%2e%2f', 'assets/2e-2e-2f.jpg'],
  ['x'.repeat(255), `assets/${'x'.repeat(60)}.jpg`],
  [undefined, 'assets/image.jpg'],
])('names the file of an image', (name, path) => {
  expect(pathsOf([image(name, 'jpg')])).toEqual([path]);
  expect(pathProblem(path)).toBeUndefined();
});

it('numbers equal names, also those that differ in the case of a file of the project only', () => {
  const images = [1, 2, 3].map((width) => image('a.png', 'png', png(width, 1)));
  expect(pathsOf(images)).toEqual(['assets/a.png', 'assets/a-2.png', 'assets/a-3.png']);
  expect(pathsOf([image('a.png')], [file('Assets/A.png', 'other')])).toEqual(['assets/a-2.png']);
  expect(pathsOf([image('a.png')], [file('assets/a.png', 'other')])).toEqual(['assets/a-2.png']);
});

it('takes the path of a file with the same bytes', () => {
  expect(pathsOf([image('a.png')], [file('assets/a.png', png(1, 1))])).toEqual(['assets/a.png']);
  const logo = image('a.svg', 'svg', Buffer.from('<svg/>'));
  expect(pathsOf([logo, logo], [file('assets/a.svg', '<svg/>')])).toEqual(['assets/a.svg']);
});

it('refuses a project that has no room for an image', () => {
  const add = (project: Parameters<typeof givenImages>[1]) => () => givenImages([image('a.png')], project);
  expect(add([file('assets')])).toThrow('no room for the folder assets');
  expect(add(Array.from({ length: 200 }, (_, n) => file(`${n}.txt`)))).toThrow('would have 201 files');
  const large = Array.from({ length: 10 }, (_, n) => file(`${n}.txt`, 'x'.repeat(1_048_576)));
  expect(add(large)).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
});

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
  for (const length of [0, 4, 12, 20]) expect(pixelSize('image/png', png(1, 1).subarray(0, length))).toBeUndefined();
  expect(pixelSize('image/jpeg', png(1, 1))).toBeUndefined();
  expect(pixelSize('image/jpeg', Buffer.from('ffd8ffe0', 'hex'))).toBeUndefined();
  expect(pixelSize('image/avif', png(1, 1))).toBeUndefined();
});
