import lock from '../../../../lambda/builds/packages/listed/package-lock.json' with { type: 'json' };
import { readListed } from '../../../../lambda/builds/packages/listed.ts';
import { installedPackages } from '../../../support/registry/installed.ts';

const list = readListed(lock.packages);
const versionsOf = (name: string) => list.versions(name).map(({ version }) => version);

test('pins every listed package, and what it needs, by sha512 and without a host', () => {
  expect(list.names.size).toBeGreaterThan(60);
  for (const name of list.names) {
    expect([name, list.versions(name).length > 0]).toEqual([name, true]);
    for (const { integrity, needs } of list.versions(name)) {
      expect(integrity).toMatch(/^sha512-/);
      const missing = needs.filter((need) => need.kind === 'dependency' && versionsOf(need.name).length === 0);
      expect([name, missing]).toEqual([name, []]);
    }
  }
  expect(JSON.stringify(lock)).not.toContain('"resolved"');
  expect(JSON.stringify(lock)).not.toContain('hasInstallScript":true');
});

test('has the versions of the compilers, and two major versions of React', () => {
  const installed = installedPackages();
  const compilers = { svelte: 'svelte', vue: '@vue/compiler-sfc' };
  for (const [name, compiler] of Object.entries(compilers)) {
    expect([name, versionsOf(name)]).toEqual([name, installed.get(compiler)?.map(({ version }) => version)]);
  }
  expect(
    versionsOf('react')
      .map((version) => Number.parseInt(version, 10))
      .toSorted(),
  ).toEqual([18, 19]);
});
