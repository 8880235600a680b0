import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface LockEntry {
  readonly dev?: true;
  readonly [field: string]: unknown;
}

/**
 * Returns a software bill of materials (CycloneDX) of the packages that a manifest installs without development dependencies.
 *
 * `npm sbom --omit=dev` omits packages that are also development dependencies, such as `@babel/core`, and `npm sbom` uses the name of
 * the folder instead of the project's. So this function runs it on a lock file without development dependencies, in a folder named `name`.
 * @param folder with package.json and package-lock.json
 * @throws Error of npm if the lock file is not valid
 */
export function sbom(folder: string, name: string, version: string): string {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const { devDependencies: _, ...manifest } = read('package.json');
  const { packages, ...lock } = read('package-lock.json') as { packages: Record<string, LockEntry> };
  const { devDependencies: __, ...root } = packages[''] ?? {};
  const kept = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  const named = { name, version };
  const parent = mkdtempSync(join(tmpdir(), 'ptp-sbom-'));
  try {
    const copy = join(parent, name);
    const write = (file: string, value: object) => writeFileSync(join(copy, file), JSON.stringify(value));
    mkdirSync(copy);
    write('package.json', { ...manifest, ...named });
    write('package-lock.json', {
      ...lock,
      ...named,
      packages: { '': { ...root, ...named }, ...Object.fromEntries(kept) },
    });
    return execFileSync(
      'npm',
      ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'],
      {
        cwd: copy,
        encoding: 'utf8',
        maxBuffer: 64 * 1_048_576,
        stdio: ['ignore', 'pipe', 'inherit'],
        shell: process.platform === 'win32',
      },
    );
  } finally {
    rmSync(parent, { recursive: true });
  }
}
