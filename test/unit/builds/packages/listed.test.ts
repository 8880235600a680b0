import lock from '../../../../lambda/builds/packages/listed/package-lock.json' with { type: 'json' };
import { readListed } from '../../../../lambda/builds/packages/listed.ts';
import { listedPackages } from '../../../../lambda/builds/packages/listed-packages.ts';
import { installedPackages } from '../../../support/registry/installed.ts';

const list = readListed(lock.packages);

test('pins every listed package, and what it needs, by sha512 and without a host', () => {
  expect(listedPackages().length).toBeGreaterThan(60);
  for (const { name, version } of listedPackages()) {
    expect(list.names).toContain(name);
    const manifest = list.versions(name).find((one) => one.version === version);
    expect(manifest?.integrity).toMatch(/^sha512-/);
    for (const need of manifest?.needs ?? []) {
      if (need.kind === 'dependency')
        expect([need.name, list.versions(need.name).length > 0]).toEqual([need.name, true]);
    }
  }
  expect(JSON.stringify(lock)).not.toContain('"resolved"');
  expect(JSON.stringify(lock)).not.toContain('hasInstallScript":true');
});

test('has the versions of the compilers', () => {
  const installed = installedPackages();
  for (const name of ['svelte', 'vue', 'solid-js']) {
    expect([name, list.versions(name).map(({ version }) => version)]).toEqual([
      name,
      installed.get(name)?.map(({ version }) => version),
    ]);
  }
});

test('offers several majors, the default one first', () => {
  const majors = (name: string) =>
    listedPackages().flatMap((one) => (one.name === name ? [Number.parseInt(one.version, 10)] : []));
  expect(majors('react')).toEqual([19, 18]);
  expect(majors('react-router-dom')).toEqual([7, 6]);
  expect(majors('lucide-react')).toEqual([1, 0]);
});
