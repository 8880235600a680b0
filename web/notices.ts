import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  /** Path of its folder. */
  readonly folder: string;
}

// Names of packages do not begin with a dot, as `.cache` does.
const PACKAGE_FOLDER = /^(?:.*\/)?node_modules\/(?!\.)(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Returns the packages that modules belong to, by name. Modules of this project are ignored. */
export function packagesOf(modules: readonly string[]): InstalledPackage[] {
  const folders = new Set(modules.flatMap((path) => PACKAGE_FOLDER.exec(path)?.[0] ?? []));
  return [...folders].map(installedPackage).toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

export function installedPackage(folder: string): InstalledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { name, version, license, folder };
}

/** Returns the notices of packages, which their licenses require with every copy. @throws Error for a package without a license file */
export function notices(packages: readonly InstalledPackage[]): string {
  const each = packages.map(({ name, version, license, folder }) => {
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file));
    if (files.length === 0) throw new Error(`${folder} has no license file`);
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
  return [INTRODUCTION, ...each].join(`\n\n${'-'.repeat(80)}\n\n`).concat('\n');
}

const INTRODUCTION = 'The pages of this service contain the following software, under these licenses.';
