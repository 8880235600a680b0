import { ApiError } from '../../contract/errors.ts';
import { LIMITS } from '../../contract/limits.ts';
import { checkTotalSize, type SiteFile } from '../../sites/accept-files.ts';
import { PathSet } from '../../sites/paths.ts';

/** An uploaded image with its bytes. */
export interface UploadedImage {
  /** The name that its owner gave it. */
  readonly name: string | undefined;
  readonly extension: string;
  readonly content: Uint8Array;
}

/** An image of the caller as a file of the project. */
export interface GivenImage {
  readonly path: string;
  readonly content: Uint8Array;
}

/** The longest name of an image without its extension: nobody reads more. */
const NAME_CHARACTERS = 60;

/**
 * Returns images as files in `assets/`. Their names are those that their owner gave them, in lower-case ASCII, with a
 * number if the project has another file of that path.
 * @param project the files of the project to change; empty for a new project
 * @throws ApiError conflict if the project cannot have more files, payload_too_large if it would be larger than a
 *   deployment
 */
export function givenImages(images: readonly UploadedImage[], project: readonly SiteFile[]): GivenImage[] {
  const paths = new PathSet(project.map(({ path }) => path));
  const known = new Map(project.map(({ path, content }) => [path, content]));
  const given = new Map<string, Uint8Array>();
  for (const image of images) {
    const { content } = image;
    const path = freePath(image, paths, (taken) => isSame(known.get(taken), content));
    known.set(path, content);
    given.set(path, content);
  }
  if (known.size > LIMITS.filesPerDeployment)
    throw new ApiError(
      'conflict',
      `With assets the project would have ${known.size} files, but it may have at most ${LIMITS.filesPerDeployment}`,
    );
  checkTotalSize(Array.from(known, ([path, content]) => ({ path, content, size: Buffer.byteLength(content) })));
  return Array.from(given, ([path, content]) => ({ path, content }));
}

/** Returns a path that no other file of the project has, and adds it to the paths. */
function freePath({ name = '', extension }: UploadedImage, paths: PathSet, isOwn: (path: string) => boolean): string {
  const stem = stemOf(name);
  const problem = new PathSet().add(`assets/${stem}.${extension}`);
  const base = problem === undefined ? stem : `image-${stem}`;
  for (let n = 1; n <= LIMITS.filesPerDeployment; n++) {
    const path = `assets/${base}${n === 1 ? '' : `-${n}`}.${extension}`;
    if (paths.has(path) ? isOwn(path) : paths.add(path) === undefined) return path;
  }
  throw new ApiError(
    'conflict',
    'The project has no room for the folder assets: it has a file of that name, or too many images',
  );
}

/** Returns a file name without its extension, in characters that need no escape in a URL. */
function stemOf(name: string): string {
  const stem = name
    .replace(/^.*[/\\]/, '')
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, NAME_CHARACTERS)
    .replace(/^-+|-+$/g, '');
  return stem === '' ? 'image' : stem;
}

function isSame(content: SiteFile['content'] | undefined, bytes: Uint8Array): boolean {
  return content !== undefined && Buffer.from(content as Uint8Array).equals(bytes);
}
