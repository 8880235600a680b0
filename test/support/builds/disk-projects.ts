import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Project } from './bundle.ts';

export const vue = (source: string, others: Project = {}): Project => ({
  'src/main.ts': "import App from './App.vue'; console.log(App);",
  'src/App.vue': source,
  ...others,
});
export const svelte = (source: string, others: Project = {}): Project => ({
  'src/main.ts': "import App from './App.svelte'; console.log(App);",
  'src/App.svelte': source,
  ...others,
});
export const solid = (source: string, others: Project = {}): Project => ({
  'src/main.ts': "import './App.tsx';",
  'src/App.tsx': source,
  'package.json': '{ "dependencies": { "solid-js": "^1.9.0" } }',
  ...others,
});

/** A folder of the disk with files that no build may read, and projects that try to. */
export function diskProjects() {
  const folder = mkdtempSync(join(tmpdir(), 'canary-'));
  const canary = join(folder, 'canary.ts');
  writeFileSync(canary, 'export interface Props { canary: string }\nexport default "canary"; // .canary{}');
  writeFileSync(join(folder, 'canary.css'), '.canary {}');
  writeFileSync(join(folder, 'canary.css.map'), '{"version":3,"sources":["canary"],"mappings":"AAAA"}');
  writeFileSync(join(folder, 'babel.config.json'), '{ "presets": ["canary"] }');
  return {
    projects: projectsThatRead(canary, folder),
    /** Reports if the result of a build shows what is in the files, besides their paths. */
    isShown: (result: unknown) =>
      /export default \\"canary|canary: string|name: "canary|"canary":|\.canary/.test(
        JSON.stringify(result).replaceAll(canary.replace('.ts', ''), ''),
      ),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function projectsThatRead(canary: string, folder: string): Project[] {
  const relative = `${'../'.repeat(20)}${canary.slice(1)}`;
  return [canary, relative, `file://${canary}`, `/@fs${canary}`].flatMap((path): Project[] => [
    vue(`<script setup lang="ts">import type { Props } from '${path}'; defineProps<Props>()</script>`),
    vue(
      `<script setup lang="ts">import type { Props } from '${path.replace('.ts', '')}'; defineProps<Props>()</script>`,
    ),
    vue(`<script src="${path}"></script>`),
    vue(`<template src="${path}"></template>`),
    vue(`<template><img src="${path}"></template>`),
    vue(`<template><p/></template><style src="${path}"></style>`),
    vue(
      `<template><p/></template><style scoped>p{}\n/*# sourceMappingURL=${path.replace('.ts', '.css.map')} */</style>`,
    ),
    svelte(`<script>import a from '${path}'; console.log(a)</script>`),
    svelte(`<svelte:options customElement="${path}"/><style>@import '${path}';</style>`, {
      'svelte.config.js': `import a from '${path}'; export default { preprocess: a }`,
    }),
    solid(`export default 1;\n//# sourceMappingURL=${path.replace('.ts', '.css.map')}`, {
      '.babelrc': `{ "presets": ["${path}"] }`,
      'babel.config.json': `{ "extends": "${path}" }`,
    }),
    {
      'src/main.ts': `console.log(import.meta.glob(['${path}', '/**', '/**/*', '../../../../**/canary.ts'], { eager: true }))`,
    },
    {
      'src/main.ts': `const name = 'canary'; console.log(import(\`${path.replace('canary.ts', '')}\${name}.ts\`))`,
    },
    {
      'src/main.ts': `console.log(new URL('${path}', import.meta.url), new URL(\`${folder}/\${1}.ts\`, import.meta.url))`,
    },
    { 'src/main.ts': `new Worker(new URL('${path}', import.meta.url), { type: 'module' })` },
    {
      'src/main.ts': `import a from '${path}?raw'; import b from '${path}?url'; import C from '${path}?worker'; console.log(a, b, C)`,
    },
    { 'src/main.ts': `console.log("${path}", \`${path}\`)` },
  ]);
}
