import type { DeployFile } from '../contract/deploy.ts';
import { ApiError } from '../contract/errors.ts';
import { LIMITS } from '../contract/limits.ts';
import { quote } from '../contract/messages.ts';
import { pathKey, pathProblem } from '../sites/paths.ts';

/** A file of a site as it is stored. */
export interface SiteFile {
  readonly path: string;
  /** Text stands for its UTF-8: it is encoded once, into the archive. */
  readonly content: string | Uint8Array;
}

export function sizeOf({ content }: SiteFile): number {
  return typeof content === 'string' ? Buffer.byteLength(content) : content.length;
}

/**
 * The files of a deploy request, once paths and sizes are right.
 * @throws ApiError invalid_request for a path, payload_too_large for a size; both name the file
 */
export function acceptFiles(files: readonly DeployFile[]): SiteFile[] {
  checkPaths(files.map(({ path }) => path));
  const accepted = files.map((file) => ({ path: file.path, content: contentOf(file) }));
  let total = 0;
  for (const file of accepted) {
    const size = sizeOf(file);
    if (size > LIMITS.fileBytes) throw tooLarge(`${quote(file.path)} has`, size, LIMITS.fileBytes, 'a file');
    total += size;
  }
  if (total > LIMITS.deploymentBytes)
    throw tooLarge('The files have', total, LIMITS.deploymentBytes, 'a deployment');
  return accepted;
}

/** RFC 4648, 4. Line breaks are let pass, as many an encoder wraps its lines, and padding may be missing. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function contentOf({ path, content, encoding }: DeployFile): string | Uint8Array {
  if (encoding !== 'base64') return content;
  const unwrapped = content.replace(/[\r\n]+/g, '');
  const digits = unwrapped.indexOf('=') < 0 ? unwrapped.length : unwrapped.indexOf('=');
  const padded = digits === unwrapped.length || unwrapped.length % 4 === 0;
  if (!BASE64.test(unwrapped) || digits % 4 === 1 || !padded)
    throw new ApiError(
      'invalid_request',
      `The content of ${quote(path)} is not base64 (RFC 4648, section 4)`,
    );
  return Buffer.from(unwrapped, 'base64');
}

function checkPaths(paths: readonly string[]): void {
  const refuse = (message: string) => new ApiError('invalid_request', message);
  const seen = new Map<string, string>();
  for (const path of paths) {
    const problem = pathProblem(path);
    if (problem) throw refuse(`The path ${quote(path)} ${problem}`);
    const twin = seen.get(pathKey(path));
    if (twin === path) throw refuse(`The path ${quote(path)} occurs twice`);
    if (twin) throw refuse(`The paths ${quote(twin)} and ${quote(path)} are one file on some file systems`);
    seen.set(pathKey(path), path);
  }
  for (const [key, path] of seen) {
    const file = [...foldersOf(key)].find((folder) => seen.has(folder));
    if (file !== undefined)
      throw refuse(`The path ${quote(seen.get(file))} is a file and the folder of ${quote(path)}`);
  }
}

/** `a/b/c.js` is in `a` and `a/b`. */
function* foldersOf(path: string): Iterable<string> {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) yield path.slice(0, at);
}

function tooLarge(subject: string, bytes: number, limit: number, what: string): ApiError {
  const [has, may] = [bytes, limit].map((n) => n.toLocaleString('en'));
  return new ApiError('payload_too_large', `${subject} ${has} bytes: ${what} may have ${may}`);
}
