import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BuildError } from '../../../lambda/builds/problems.ts';
import { temporaryFolder } from '../../support/at-end.ts';
import { buildTexts, givenPackages } from '../../support/build-project.ts';

const SECRET = 'what no build may read';

describe('specifiers that lead out of the project', () => {
  const folder = temporaryFolder();
  const outside = join(folder, 'secret.js');
  const up = '../'.repeat(20);
  writeFileSync(outside, `export default ${JSON.stringify(SECRET)};`);

  const packages = givenPackages({
    'evil/package.json': JSON.stringify({
      name: 'evil',
      version: '1.0.0',
      main: `${up}${outside.slice(1)}`,
      browser: { './x': outside },
      imports: { '#x': outside },
    }),
    'evil/index.js': `import ${JSON.stringify(outside)}; import '${up}${outside.slice(1)}'; import 'file://${outside}'; import './x'; import '#x'; export default 1`,
  });

  it.each([
    outside,
    `file://${outside}`,
    `${up}${outside.slice(1)}`,
    `/${up}${outside.slice(1)}`,
    `./${outside}`,
    `/@fs${outside}`,
    `${outside}?raw`,
    `${outside}?url`,
    `${outside}?inline`,
    `${outside}?worker`,
    `file://${outside}?raw`,
    `\\0${outside}`,
    encodeURIComponent(outside),
    `@/${up}${outside.slice(1)}`,
    `evil`,
    `evil/${up}${outside.slice(1)}`,
    'evil/x',
    `data:text/javascript,import ${JSON.stringify(outside).replaceAll('"', "'")}`,
    'npm:evil',
    'constructor',
    '__proto__',
    '/proc/self/environ?raw',
    '/etc/passwd?raw',
  ])('reads nothing for %s', async (specifier) => {
    const text = JSON.stringify(specifier);
    const texts = {
      'index.html': `<link rel="stylesheet" href=${text}><img src=${text}><script type="module" src="/src/main.tsx"></script>`,
      'src/main.tsx': `import x from ${text}; console.log(x); import(${text}); new URL(${text}, import.meta.url);`,
      'src/other.ts': `new Worker(new URL(${text}, import.meta.url)); import.meta.glob(${text}, { eager: true, query: '?raw' });`,
      'tsconfig.json': `{ "extends": ${text}, "compilerOptions": { "paths": { "alias/*": [${text}] } } }`,
    };
    const texts2 = { ...texts, 'src/main.tsx': `import './other'; import.meta.glob(${text});` };
    for (const project of [texts, texts2]) {
      const result = await buildTexts(project, { packages }).catch((error) => error);
      const shown =
        result instanceof BuildError
          ? JSON.stringify(result.problems)
          : [...result.files.values()].map((content) => Buffer.from(content).toString()).join('\n');
      expect(shown).not.toContain(SECRET);
      expect(shown).not.toMatch(/root:x:|PATH=/);
    }
  });
});
