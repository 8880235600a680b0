import { hash } from 'node:crypto';
import type { BuildReport } from '../../contract/builds.ts';

/** The input of a build. Equal inputs give equal outputs, byte for byte. */
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

/** The objects of a build in the builds bucket. */
export interface BuildKeys {
  readonly in: string;
  readonly out: string;
  readonly vendor: string;
}

/** The files that say which packages a project uses: projects of a tenant that share them share a vendor slot. */
const MANIFESTS = ['package.json', 'package-lock.json'];

/**
 * Returns the keys of a build. Each covers the tenant, so that no tenant can write what another will read, and the version of
 * the builder, so that nothing outlives a change of it.
 * @param version of the code and the configuration of builds
 */
export function buildKeys(version: string, tenant: string, input: BuildInput): BuildKeys {
  const { files, env, preview, chosen } = input;
  const contents = hashesOf(files);
  const manifests = contents.filter(([path]) => MANIFESTS.includes(path));
  const build = digest([version, tenant, contents, entriesOf(env), preview, entriesOf(chosen)]);
  return { in: `in/${build}`, out: `out/${build}`, vendor: `vendor/${digest([version, tenant, manifests])}` };
}

/** Returns the paths of files with the hashes of their contents, sorted. */
export function hashesOf(files: ReadonlyMap<string, Uint8Array>): (readonly [string, string])[] {
  return Array.from(files, ([path, content]) => [path, hash('sha256', content)] as const).sort(byName);
}

/** Returns the SHA-256 of a value as JSON. */
export function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value));
}

function entriesOf(record: Readonly<Record<string, string>>): (readonly [string, string])[] {
  return Object.entries(record).sort(byName);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
