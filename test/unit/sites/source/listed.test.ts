import listed from '../../../../lambda/builds/packages/listed/package-lock.json' with { type: 'json' };
import { TOLD_PACKAGES, TOLD_RADIX, TOLD_TOOLS } from '../../../../lambda/sites/source/listed.ts';
import own from '../../../../package.json' with { type: 'json' };
import fixtures from '../../../fixtures/packages/package.json' with { type: 'json' };

const packages = listed.packages as object as Readonly<Record<string, { readonly version?: string }>>;
const names = Object.keys(listed.packages[''].dependencies);
const versionOf = (name: string) => (names.includes(name) ? (packages[`node_modules/${name}`]?.version ?? '') : '');

it('tells models only of listed packages, in the versions that are preferred', () => {
  const wrong = Object.entries(TOLD_PACKAGES).filter(([name, version]) => !versionOf(name).startsWith(`${version}.`));
  expect(wrong.map(([name]) => `${name} is listed as ${versionOf(name)}`)).toEqual([]);
  expect(TOLD_RADIX.filter((name) => !/^[12]\./.test(versionOf(`@radix-ui/react-${name}`)))).toEqual([]);
});

it('tells models the versions of the tools that builds are compared with', () => {
  const compared: Readonly<Record<string, string>> = { ...own.devDependencies, ...fixtures.dependencies };
  const major = (name: string) => /^\^?(\d+)\./.exec(compared[name] ?? '')?.[1];
  const { typescript, ...tools } = TOLD_TOOLS;
  const wrong = Object.entries(tools).filter(([name, version]) => major(name) !== version);
  expect(wrong).toEqual([]);
  // `peerDependencies` of svelte-check 4, which models add to projects in Svelte.
  expect(['5', '6']).toContain(typescript);
});

it('tells versions that a range with a caret stays in', () => {
  const vague = Object.entries(TOLD_PACKAGES).filter(([, version]) => !/^(?:[1-9]\d*|0\.[1-9]\d*)$/.test(version));
  expect(vague).toEqual([]);
});
