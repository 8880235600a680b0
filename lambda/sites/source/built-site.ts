import type { BuildReport } from '../../contract/builds.ts';

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

/** Reports if a built file is a source map that the build wrote: no script names it, but it tells the places of errors. */
export function isSourceMap(path: string): boolean {
  return SOURCE_MAP.test(path);
}

/** Returns the result of a build with the bytes that are stored of it. @param archive of `packSite` */
export function builtSite(report: BuildReport, archive: Uint8Array): BuiltSite {
  return { report, archive, stored: withLine(report, archive) };
}

/** Reverts `builtSite`. The archive is a view of the stored bytes. */
export function readBuilt(stored: Uint8Array): BuiltSite {
  const { line, rest } = readLine(stored);
  return { report: line as BuildReport, archive: rest, stored };
}

/** Returns a value as one line of JSON, a line feed, and the given bytes. */
export function withLine(value: unknown, rest: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify(value)}\n`), rest]);
}

/** Reverts `withLine`. The rest is a view of the bytes. @throws SyntaxError for other bytes */
export function readLine(bytes: Uint8Array): { readonly line: unknown; readonly rest: Uint8Array } {
  const end = bytes.indexOf(LINE_FEED);
  const line: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, end).toString());
  return { line, rest: bytes.subarray(end + 1) };
}
