import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import semver from 'semver';
import { type ListedPackages, readListed } from '../../lambda/builds/packages/listed.ts';
import { installedFiles, installedManifest, installedPackages } from './registry/installed.ts';
import { lockFile } from './registry/lock.ts';
import { tar } from './registry/tar.ts';
import { serve } from './serve.ts';

/** A version of a package that a test makes. */
export interface TestPackage {
  readonly name: string;
  readonly version: string;
  /** By path in the package. A package.json is added if there is none. */
  readonly files?: Readonly<Record<string, string>>;
  /** Members of package.json besides name and version, such as `dependencies`. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** ISO 8601; a day in 2020 by default. */
  readonly published?: string;
  /** Instead of `files`: the archive as it is served. */
  readonly archive?: Uint8Array;
  /** Its hash is that of npm before 2017. */
  readonly sha1Only?: true;
}

/** What goes wrong with a package: the status of each response, or one of these. `slow` never responds; `unreachable once` is for the next request. */
export type RegistryFault =
  | number
  | 'unreachable'
  | 'unreachable once'
  | 'slow'
  | 'wrong integrity'
  | 'truncated'
  | 'bomb';

export interface TestRegistry {
  /** Without a slash at its end. */
  readonly url: string;
  /** Paths of the requests, such as `/@radix-ui%2freact-slot` and `/react/-/react-19.2.0.tgz`. */
  readonly requests: string[];
  /** Faults by name of the package; of all other packages under `*`. */
  readonly faults: Map<string, RegistryFault>;
  add(...packages: TestPackage[]): void;
  integrityOf(name: string, version: string): Promise<string>;
  /** Returns a package-lock.json for installed packages by name in the project, such as `{ react: 'react18' }`. */
  lockFile(roots: Readonly<Record<string, string>>): Promise<string>;
  /** Returns a list of packages for `packageSource`, with their versions and hashes. */
  listed(roots: Readonly<Record<string, string>>): Promise<ListedPackages>;
  close(): Promise<void>;
}

interface Version {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly published: string;
  readonly sha1Only: boolean;
  archive(): Promise<Uint8Array>;
}

const DAY_IN_2020 = '2020-01-01T00:00:00.000Z';
/** More than a build may unpack. */
const BOMB_BYTES = 260 * 1_048_576;
/** Archives of installed packages are made once per process. */
const archives = new Map<string, Promise<Uint8Array>>();
let bomb: Promise<Uint8Array> | undefined;

/**
 * Starts a registry of packages on loopback. It has the packages of `node_modules` and of the fixtures with their own names and versions (`react`
 * 18 and 19, since `react18` is an alias), without types, maps and documents, and those that the test adds. The hashes of the service's list
 * of packages are not those of this registry, so that the versions of the list do not count in this process and its local clouds.
 */
export async function startRegistry(...packages: TestPackage[]): Promise<TestRegistry> {
  process.env.PTP_UNPINNED_PACKAGES = 'true';
  const versions = new Map<string, Map<string, Version>>();
  for (const [name, installed] of installedPackages()) {
    versions.set(name, new Map(installed.map(({ version, folder }) => [version, installedVersion(folder)])));
  }
  const add = (...added: TestPackage[]) => {
    for (const one of added) {
      const ofName = versions.get(one.name) ?? new Map<string, Version>();
      versions.set(one.name, ofName.set(one.version, testVersion(one)));
    }
  };
  add(...packages);
  const integrityOf = async (name: string, version: string) => {
    const found = versions.get(name)?.get(version);
    if (!found) throw new Error(`The registry of the test has no ${name} ${version}`);
    return sha512(await found.archive());
  };
  const requests: string[] = [];
  const faults = new Map<string, RegistryFault>();

  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    requests.push(path);
    const [name = '', file] = decodeURIComponent(path.slice(1)).split('/-/');
    const ofName = versions.get(name);
    const fault = faults.get(name) ?? faults.get('*');
    if (fault === 'unreachable once') faults.delete(name);
    if (fault === 'unreachable' || fault === 'unreachable once') return request.socket.destroy();
    if (fault === 'slow') return;
    if (typeof fault === 'number') return respond(response, fault, '{"error":"fault"}');
    if (!ofName) return respond(response, 404, '{"error":"Not found"}');
    if (file === undefined) {
      const document = await packument(name, ofName, url, fault);
      const isAbbreviated = request.headers.accept?.includes('vnd.npm.install-v1');
      return respond(response, 200, JSON.stringify(isAbbreviated ? { ...document, time: undefined } : document));
    }
    const version = file.slice(`${unscoped(name)}-`.length, -'.tgz'.length);
    const archive = await ofName.get(version)?.archive();
    if (!archive) return respond(response, 404, '{"error":"Not found"}');
    respond(response, 200, await faulty(archive, fault));
  });
  const { url, close } = await serve(server);

  return {
    url,
    requests,
    faults,
    add,
    integrityOf,
    lockFile: (roots) => lockFile(roots, integrityOf),
    listed: async (roots) => readListed(JSON.parse(await lockFile(roots, integrityOf)).packages),
    close,
  };
}

/** The document of a package, which is abbreviated by leaving out `time` (https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md). */
async function packument(
  name: string,
  versions: ReadonlyMap<string, Version>,
  url: string,
  fault: RegistryFault | undefined,
): Promise<object> {
  const documents: Record<string, unknown> = Object.create(null);
  const time: Record<string, string> = Object.create(null);
  for (const [version, { manifest, published, sha1Only, archive }] of versions) {
    const bytes = fault === 'bomb' ? await bombArchive() : await archive();
    const shasum = createHash('sha1').update(bytes).digest('hex');
    const tarball = `${url}/${name}/-/${unscoped(name)}-${version}.tgz`;
    const dist = sha1Only ? { shasum, tarball } : { shasum, tarball, integrity: sha512(bytes) };
    documents[version] = { ...manifest, name, version, dist };
    time[version] = published;
  }
  const dates = Object.values(time).toSorted();
  const latest = semver.maxSatisfying([...versions.keys()], '*') ?? '';
  return {
    name,
    'dist-tags': { latest },
    versions: documents,
    time: { created: dates[0], modified: dates.at(-1), ...time },
    modified: dates.at(-1),
  };
}

function installedVersion(folder: string): Version {
  let manifest: Version['manifest'] | undefined;
  return {
    get manifest() {
      manifest ??= installedManifest(folder);
      return manifest;
    },
    published: DAY_IN_2020,
    sha1Only: false,
    archive: () => {
      const archive = archives.get(folder) ?? packed(installedFiles(folder));
      archives.set(folder, archive);
      return archive;
    },
  };
}

function testVersion(added: TestPackage): Version {
  const { name, version, published = DAY_IN_2020, sha1Only = false } = added;
  const manifest = { ...added.manifest, name, version };
  const files = { 'package.json': JSON.stringify(manifest), ...added.files };
  let archive: Promise<Uint8Array> | undefined;
  return {
    manifest,
    published,
    sha1Only,
    archive: () => {
      const encoded = Object.entries(files).map(([path, text]) => [path, Buffer.from(text)] as const);
      archive ??= added.archive ? Promise.resolve(added.archive) : packed(new Map(encoded));
      return archive;
    },
  };
}

async function faulty(archive: Uint8Array, fault: RegistryFault | undefined): Promise<Uint8Array> {
  if (fault === 'bomb') return await bombArchive();
  if (fault === 'truncated') return archive.subarray(0, archive.length / 2);
  if (fault === 'wrong integrity') return await packed(new Map([['index.js', Buffer.from('other')]]));
  return archive;
}

/** A tar archive with gzip, as `npm pack` makes it. */
export async function packed(files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const entries = [...files].map(([path, bytes]) => ({ path: `package/${path}`, bytes }));
  return await promisify(gzip)(tar(entries), { level: 1 });
}

function bombArchive(): Promise<Uint8Array> {
  bomb ??= packed(new Map([['zeros', Buffer.alloc(BOMB_BYTES)]]));
  return bomb;
}

function sha512(bytes: Uint8Array): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}

function unscoped(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

function respond(response: ServerResponse, status: number, body: string | Uint8Array): void {
  response.writeHead(status, {
    'Content-Type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
  });
  response.end(body);
}
