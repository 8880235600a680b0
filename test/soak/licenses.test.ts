import { readFileSync } from 'node:fs';
import { licensesDocument } from '../../bin/licenses/document.ts';
import { lockedPackages, shippedPackages } from '../../bin/licenses/shipped.ts';

const installed = lockedPackages('package-lock.json');
// Bundles every function.
const shipped = shippedPackages();

test('docs/licenses.md lists the packages in the bundles: npm run licenses', () => {
  expect(readFileSync('docs/licenses.md', 'utf8')).toBe(licensesDocument(shipped, installed));
});

test('bundles contain no development dependencies', () => {
  // An alias has a different name in the lock file than in its own package.json.
  const known = [...installed, ...lockedPackages('lib/look/chromium/package-lock.json')];
  const allowed = new Set(known.map(({ version, license }) => `${version} ${license}`));
  const names = new Set(known.map(({ name }) => name));
  const others = Object.values(shipped)
    .flat()
    .filter(({ name, version, license }) => !names.has(name) || !allowed.has(`${version} ${license}`));
  expect(others).toEqual([]);
});
