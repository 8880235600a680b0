import { hash } from 'node:crypto';
import type { BuildInput } from '../sites/source/build.ts';

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
