import type { BuildReport } from '../../contract/builds.ts';

/** What is built. Equal inputs give equal outputs, byte for byte. */
export interface BuildInput {
  /** The source by path as it was sent, with `.env` files. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** `VITE_*` variables of the request; they take precedence over those of `.env` files. */
  readonly env: Readonly<Record<string, string>>;
  /** Own code is not minified and has an inline source map. */
  readonly preview: boolean;
  /** Versions of packages that an earlier build of the same deployment chose, by name. */
  readonly chosen: Readonly<Record<string, string>>;
}

const LINE_FEED = 0x0a;

/** The result of a build. */
export interface BuiltSite {
  readonly report: BuildReport;
  /** The built files, as `packSite` returns them. */
  readonly archive: Uint8Array;
  /** The report as one line of JSON, a line feed, and the archive: the object of a version that was built (`builtKey`). */
  readonly stored: Uint8Array;
}

/** A script of own code has the hash of its content in its name (`nameHash`). */
const SOURCE_MAP = /^assets\/[^/]+-[0-9a-f]{16}\.js\.map$/;

/** Reports if a built file is a source map that the build wrote: no script names it, but it is used to locate errors. */
export function isSourceMap(path: string): boolean {
  return SOURCE_MAP.test(path);
}

/** Returns the result of a build with the bytes that are stored of it. @param archive of `packSite` */
export function builtSite(report: BuildReport, archive: Uint8Array): BuiltSite {
  return { report, archive, stored: prependHeader(report, archive) };
}

/** Reverts `builtSite`. The archive is a view of the stored bytes. */
export function readBuilt(stored: Uint8Array): BuiltSite {
  const { header, rest } = splitHeader(stored);
  return { report: header as BuildReport, archive: rest, stored };
}

/** Returns bytes after a header: a value as one line of JSON, with a line feed. */
export function prependHeader(header: unknown, rest: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), rest]);
}

/** Reverts `prependHeader`. The rest is a view of the bytes. @throws SyntaxError for other bytes */
export function splitHeader(bytes: Uint8Array): { readonly header: unknown; readonly rest: Uint8Array } {
  const end = bytes.indexOf(LINE_FEED);
  const header: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, end).toString());
  return { header, rest: bytes.subarray(end + 1) };
}
