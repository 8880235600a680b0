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
