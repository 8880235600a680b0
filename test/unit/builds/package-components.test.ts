import { buildTexts, givenPackages } from '../../support/build-project.ts';

const manifest = JSON.stringify({
  name: 'icons',
  version: '1.0.0',
  exports: { '.': { svelte: './index.js' } },
});

/** The script of the packages, of a page that imports `Icon`. */
async function built(files: Readonly<Record<string, string>>): Promise<string> {
  const packages = givenPackages({
    'icons/package.json': manifest,
    ...files,
    'svelte/package.json': JSON.stringify({ name: 'svelte', version: '5.0.0' }),
    'svelte/internal/client.js': `const any = (...values) => globalThis.log(values); export { ${NAMES.map((name) => `any as ${name}`).join(', ')} };`,
    'svelte/internal/disclose-version.js': '',
    'svelte/internal/flags/legacy.js': '',
  });
  const texts = {
    'index.html': '<script type="module" src="/a.js"></script>',
    'a.js': 'import { Icon } from "icons"; Icon();',
  };
  const { files: output } = await buildTexts(texts, { packages });
  expect([...output.keys()].filter((path) => !/\.(?:js|js\.map|html)$/.test(path))).toEqual([]);
  return [...output.values()].map((content) => Buffer.from(content).toString()).join('\n');
}

/** What compiled components call. */
const NAMES = ['append', 'append_styles', 'from_html', 'get', 'state', 'push', 'pop', 'init', 'next', 'reset', 'child'];

test('compiles components of Svelte in packages', async () => {
  const code = await built({
    'icons/index.js': 'export { default as Icon } from "./Icon.svelte";',
    'icons/Icon.svelte': '<p class="icon">icon of a package</p><style>.icon { color: red }</style>',
  });
  expect(code).toContain('icon of a package</p>');
  expect(code).toMatch(/color:\s?red/);
  const runes = await built({
    'icons/index.js': 'export { Icon } from "./state.svelte.js";',
    'icons/state.svelte.js': 'let value = $state(7); export const Icon = () => value++;',
  });
  expect(runes).not.toContain('$state');
});

test('names components that cannot be compiled', async () => {
  const index = { 'icons/index.js': 'export { default as Icon } from "./Icon.svelte";' };
  await expect(built({ ...index, 'icons/Icon.svelte': '{#if}' })).rejects.toThrow(
    /^node_modules\/icons\/Icon.svelte cannot be compiled: /,
  );
  const vue = {
    'icons/index.js': 'export { default as Icon } from "./Icon.vue";',
    'icons/Icon.vue': '<template/>',
  };
  await expect(built(vue)).rejects.toThrow(/Icon.vue is a component of Vue: only compiled ones/);
});
