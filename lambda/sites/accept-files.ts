import { ApiError } from '../contract/errors.ts';
import type { ContentFile } from '../contract/files.ts';
import { LIMITS } from '../contract/limits.ts';
import { quote } from '../contract/messages.ts';
import { PathSet } from './paths.ts';

/**
 * Returns the files of a request with their content decoded.
 * @throws ApiError invalid_request for a path or an encoding, payload_too_large for a size
 */
export function acceptFiles(files: readonly ContentFile[]): SiteFile[] {
  checkPaths(files.map(({ path }) => path));
  const accepted = files.map(acceptFile);
  checkTotalSize(accepted);
  return accepted;
}

/** @throws ApiError payload_too_large */
export function checkTotalSize(files: readonly SiteFile[]): void {
  const total = totalSize(files);
  if (total > LIMITS.deploymentBytes)
    throw tooLarge('The files have', total, LIMITS.deploymentBytes, 'a deployment', files);
}

export function totalSize(files: readonly SiteFile[]): number {
  return files.reduce((total, { size }) => total + size, 0);
}

/** @throws ApiError as `acceptFiles` */
export function acceptFile({ path, content, encoding }: ContentFile): SiteFile {
  const decoded = encoding === 'base64' ? fromBase64(content, path) : content;
  const file = { path, content: decoded, size: Buffer.byteLength(decoded) };
  if (file.size > LIMITS.fileBytes) throw tooLarge(`${quote(path)} has`, file.size, LIMITS.fileBytes, 'a file', [file]);
  return file;
}

/** RFC 4648, 4, after the removal of line breaks, which many encoders add. Padding may be missing. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function fromBase64(content: string, path: string): Uint8Array {
  const unwrapped = content.replace(/[\r\n]+/g, '');
  const digits = unwrapped.indexOf('=') < 0 ? unwrapped.length : unwrapped.indexOf('=');
  const padded = digits === unwrapped.length || unwrapped.length % 4 === 0;
  if (!BASE64.test(unwrapped) || digits % 4 === 1 || !padded)
    throw new ApiError('invalid_request', `The content of ${quote(path)} is not base64 (RFC 4648, section 4)`);
  return Buffer.from(unwrapped, 'base64');
}

/** @throws ApiError invalid_request for a path that is unsafe or that another one collides with */
export function checkPaths(paths: readonly string[]): void {
  const set = new PathSet();
  for (const path of paths) {
    const problem = set.has(path) ? 'occurs twice' : set.add(path);
    if (problem !== undefined) throw new ApiError('invalid_request', `The path ${quote(path)} ${problem}`);
  }
}

/** Files that a page does not need: source maps, installed packages, and what desktops leave in folders. */
const NEEDLESS = /\.(?:[cm]?js|css)\.map$|(?:^|\/)(?:node_modules\/|(?:\.DS_Store|Thumbs\.db)$)/;

function tooLarge(subject: string, bytes: number, limit: number, what: string, files: readonly SiteFile[]): ApiError {
  const [has, may] = [bytes, limit].map((n) => n.toLocaleString('en'));
  const message = `${subject} ${has} bytes: ${what} may have at most ${may}`;
  return new ApiError('payload_too_large', message + leaveOut(files));
}

/** Returns a hint that names the largest of the files that can be left out, or `''` if there are none. */
function leaveOut(files: readonly SiteFile[]): string {
  const needless = files.filter(({ path }) => NEEDLESS.test(path)).toSorted((a, b) => b.size - a.size);
  if (needless.length === 0) return '';
  const named = needless.slice(0, 3).map(({ path }) => quote(path));
  const others = needless.length - named.length;
  const list = named.join(', ') + (others > 0 ? ` and ${others} more` : '');
  return `. Visitors do not need ${list} (${totalSize(needless).toLocaleString('en')} bytes): leave out source maps, node_modules and the like`;
}

/** A file of a site as it is stored. */
export interface SiteFile {
  readonly path: string;
  /** A string is encoded as UTF-8 when it is written to the archive. */
  readonly content: string | Uint8Array;
  /** Bytes of the content, counted once: for 10 MB of text, counting takes half as long as encoding. */
  readonly size: number;
}
