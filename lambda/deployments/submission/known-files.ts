import { hash } from 'node:crypto';
import type { BuildVariables } from '../../contract/builds.ts';
import type { DeployFile } from '../../contract/deploy.ts';
import { ApiError } from '../../contract/errors.ts';
import { quote } from '../../contract/messages.ts';
import { acceptFile, checkPaths, checkTotalSize } from '../../sites/accept-files.ts';
import type { SiteFile } from '../../sites/site-file.ts';

/** A file that the live version is expected to have, at any path. */
export interface KnownFile {
  readonly path: string;
  /** SHA-256 of its bytes, in lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** A file of a deploy request. */
export type SentFile = SiteFile | KnownFile;

export function hasContent(file: SentFile): file is SiteFile {
  return 'content' in file;
}

/**
 * Returns the files of a deploy request, with the content of those that have one decoded.
 * @throws ApiError invalid_request for a path or an encoding, payload_too_large for a size
 */
export function acceptSentFiles(files: readonly DeployFile[]): SentFile[] {
  checkPaths(files.map(({ path }) => path));
  const accepted = files.map(({ content = '', sha256, ...file }) =>
    sha256 === undefined ? acceptFile({ ...file, content }) : { path: file.path, sha256 },
  );
  checkTotalSize(accepted.filter(hasContent));
  return accepted;
}

/**
 * Returns a digest that is equal for requests that deploy the same files to the same project in the same way, however they
 * are sent.
 */
export function fingerprint({
  files,
  projectId,
  build,
  env,
}: {
  readonly files: readonly SentFile[];
  readonly projectId?: string | undefined;
  readonly build?: boolean | undefined;
  readonly env?: BuildVariables | undefined;
}): string {
  const hashes = files.map((file) => [
    file.path,
    hasContent(file) ? hash('sha256', file.content) : file.sha256,
  ]);
  const way = build === undefined && env === undefined ? [] : [build ?? null, env ?? null];
  return hash('sha256', JSON.stringify([projectId ?? null, hashes, ...way]), 'base64url');
}

/**
 * Returns the files with their content.
 * @param live the contents of the live version's files
 * @throws ApiError unknown_files. It depends on the request alone, so that it is the same for a file of another version,
 *   another deployment, or none
 */
export function resolveFiles(files: readonly SentFile[], live: Iterable<Uint8Array>): SiteFile[] {
  const contents = new Map(Array.from(live, (content) => [hash('sha256', content), content]));
  const unknown: KnownFile[] = [];
  const resolved = files.flatMap((file): SiteFile[] => {
    if (hasContent(file)) return [file];
    const content = contents.get(file.sha256);
    if (content) return [{ path: file.path, content, size: content.length }];
    unknown.push(file);
    return [];
  });
  if (unknown.length > 0) throw unknownFiles(unknown);
  return resolved;
}

function unknownFiles(files: readonly KnownFile[]): ApiError {
  const first = quote(files[0]?.path);
  const others = files.length === 1 ? '' : ` and ${files.length - 1} more`;
  return new ApiError(
    'unknown_files',
    `The live version has no file with the sha256 of ${first}${others}: send the files in unknown with their content. Nothing was changed`,
    { body: { unknown: [...new Set(files.map(({ sha256 }) => sha256))] } },
  );
}
