import fc from 'fast-check';
import { build } from '../../lambda/builds/build.ts';
import { packageSource } from '../../lambda/builds/packages/source.ts';
import { BuildError } from '../../lambda/builds/problems.ts';
import { closeAtEnd } from '../support/at-end.ts';
import { type ProjectFiles, sourceProject } from '../support/builds/projects.ts';
import { startRegistry } from '../support/registry.ts';

const PROJECTS = ['react-ts', 'vue-ts', 'svelte-ts', 'solid-ts', 'vanilla-ts', 'modules-worker', 'bolt', 'v0-block'];
const TEXT = /\.(?:[cm]?[jt]sx?|vue|svelte|css|html|json)$/;
/** What mistakes and attacks are made of. */
const PIECES = [
  '',
  '{',
  '}',
  '<',
  '/>',
  '"',
  '`',
  '/*',
  '*/',
  '=>',
  '\0',
  '\u2028',
  '\ud800',
  '__proto__',
  'constructor',

  '@import "./base.css";',
  '@tailwind base;',
  '@apply p-4 nope;',
  'import x from "nope";',
  'export * from "./main";',

  'import.meta.glob("../../**")',
  'new URL("../../../etc/passwd", import.meta.url)',
  'url(/etc/passwd)',

  '<script src="file:///etc/passwd"></script>',
  '%VITE_X%',
  '${',
  '((((((((',
  '"dependencies":{"x":"*"},',
];

/** A change of one file: a part of it is replaced, at two thousandths of its length. */
const change = fc.record({
  file: fc.nat(),
  from: fc.nat(1_000),
  length: fc.nat(60),
  piece: fc.constantFrom(...PIECES),
  renamed: fc.option(fc.constantFrom('index.html', 'src/main.tsx', 'package-lock.json', '__proto__', 'a b?#.tsx'), {
    freq: 9,
  }),
});
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

const registry = closeAtEnd(await startRegistry());

it('200 damaged projects are built or have problems: nothing else happens', async () => {
  const packages = packageSource({ registry: { url: registry.url } });
  const vendor = { read: async () => undefined, write: async () => {} };
  const sources = PROJECTS.map(sourceProject);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sources),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      async (source, changes) => {
        const files = changes.reduce<ProjectFiles>(changed, source);
        const result = await build({ files, env: {}, preview: false, chosen: {} }, packages, vendor).catch(
          (error: unknown) => error,
        );
        if (result instanceof BuildError) expect(result.problems[0]?.message).toMatch(/\S/);
        else expect(result).toMatchObject({ report: { files: expect.any(Number) } });
      },
    ),
    { numRuns: 200, endOnFailure: true, ...(process.env.SEED && { seed: Number(process.env.SEED) }) },
  );
}, 1_800_000);

function changed(files: ProjectFiles, { file, from, length, piece, renamed }: Change): ProjectFiles {
  const paths = [...files.keys()].filter((path) => TEXT.test(path));
  const path = paths[file % paths.length] ?? '';
  const text = Buffer.from(files.get(path) ?? '').toString();
  const at = Math.floor((text.length * from) / 1_000);
  const damaged = text.slice(0, at) + piece + text.slice(at + length);
  const result = new Map(files);
  if (renamed !== null) result.delete(path);
  return result.set(renamed ?? path, Buffer.from(damaged));
}
