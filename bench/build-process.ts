import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from '../lambda/builds/build.ts';
import type { VendorSlot } from '../lambda/builds/context.ts';
import { packageSource } from '../lambda/builds/packages/source.ts';
import type { PackageStore } from '../lambda/builds/packages/store.ts';

/** The JSON that a process prints after it built a project, edited it and built it again. */
export interface BuildTimes {
  /** In milliseconds, of the build alone. */
  readonly first: number;
  readonly rebuild: number;
  /** The size of the output; `memory` is the peak of the resident set of the process. */
  readonly bytes: number;
  readonly memory: number;
}

const [, , folder = '', registry = '', archives = '', edited] = process.argv;

/** Archives in a folder, as they are in S3. */
const store: PackageStore = {
  get: async (integrity) => {
    try {
      return readFileSync(pathOf(integrity));
    } catch {
      return undefined;
    }
  },
  put: async (integrity, archive) => {
    mkdirSync(archives, { recursive: true });
    writeFileSync(pathOf(integrity), archive);
  },
};

function pathOf(integrity: string): string {
  return join(archives, encodeURIComponent(integrity));
}

let bundle: Uint8Array | undefined;
const vendor: VendorSlot = {
  read: async () => bundle,
  write: async (written) => {
    bundle = written;
  },
};

const packages = packageSource({ registry: { url: registry }, store });
const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
const files = new Map(paths.map((path) => [relative(folder, path), readFileSync(path)]));
let chosen: Readonly<Record<string, string>> = {};
let bytes = 0;

async function buildOnce(): Promise<number> {
  const begun = performance.now();
  const { report } = await build({ files, env: {}, preview: false, chosen }, packages, vendor);
  chosen = report.packages;
  bytes = report.bytes;
  return performance.now() - begun;
}

const first = await buildOnce();
let rebuild = 0;
if (edited !== undefined) {
  files.set(edited, Buffer.from(`${Buffer.from(files.get(edited) ?? '')}\nconsole.log('edited');\n`));
  rebuild = await buildOnce();
}
const times: BuildTimes = { first, rebuild, bytes, memory: process.resourceUsage().maxRSS * 1_024 };
console.log(JSON.stringify(times));
