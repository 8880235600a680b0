import { globSync, readFileSync } from 'node:fs';
import { buildSync } from 'esbuild';
import { SHIPPED_FILES } from '../../lambda/builds/styles/shipped.ts';
import { BUNDLING, OPTIONAL } from '../../lib/platform/bundle.ts';
import { bundledModules } from '../../web/bundle.ts';
import { packagesOf } from '../../web/notices.ts';
import { servicePages } from '../../web/pages.ts';

/** A package that is part of a stage or of `ptp`. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
}

interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

interface LockEntry {
  readonly version: string;
  readonly license?: string;
  readonly dev?: true;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The lock file of the browser, whose packages only Lambda needs. */
const CHROMIUM = 'lib/look/chromium/package-lock.json';

/** Packages that cannot be bundled, and are installed beside the bundles of functions. */
const UNBUNDLED = ['rolldown', 'lightningcss', 'playwright-core'];

/** Returns the packages of each part, by the name of the part. */
export function shippedPackages(): Readonly<Record<string, readonly ShippedPackage[]>> {
  servicePages();
  const sheets = SHIPPED_FILES.map((file) => `node_modules/${file}`);
  return {
    pages: packagesOf(bundledModules()),
    functions: packagesOf([...modulesOf(globSync('lambda/**/*.handler.ts')), ...sheets]),
    'beside the functions': [...unbundled(), ...lockedPackages(CHROMIUM)],
    ptp: packagesOf(modulesOf(['cli/ptp/ptp.ts'])),
  };
}

/** Returns the packages of a lock file that are installed without development dependencies. */
export function lockedPackages(file: string): ShippedPackage[] {
  const entries = Object.entries(readLock(file)).filter(([path, { dev }]) => path !== '' && !dev);
  return entries.map(([path, { version, license = '' }]) => ({ name: nameOf(path), version, license }));
}

/** Returns the modules of bundles, made as those of functions. */
function modulesOf(entryPoints: string[]): string[] {
  const { metafile } = buildSync({
    ...BUNDLING,
    entryPoints,
    outdir: 'out',
    write: false,
    metafile: true,
    external: [...UNBUNDLED, ...OPTIONAL],
    logLevel: 'error',
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
}

/** Returns the unbundled packages with all their dependencies. Native code for one platform represents that for others. */
function unbundled(): ShippedPackage[] {
  const lock = readLock('package-lock.json');
  const found = new Map<string, ShippedPackage>();
  const add = (name: string) => {
    const entry = lock[`node_modules/${name}`];
    if (entry === undefined || found.has(name)) return;
    found.set(name, { name, version: entry.version, license: entry.license ?? '' });
    for (const dependency of Object.keys(entry.dependencies ?? {})) add(dependency);
  };
  for (const name of UNBUNDLED) add(name);
  return [...found.values()];
}

const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');

const readLock = (file: string): LockFile['packages'] =>
  (JSON.parse(readFileSync(file, 'utf8')) as LockFile).packages;
