import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { buildTexts, givenPackages, MemorySlot, type Texts } from '../../support/build-project.ts';
import { runScripts } from '../../support/run-scripts.ts';

const PAGE = '<!doctype html>\n<head><title>A</title></head><script type="module" src="/src/main.tsx"></script>';

/** Patterns that try all ways to match it would never end. */
const LONG = 'a'.repeat(300);

const PACKAGES = givenPackages({
  'icons/package.json': manifest('icons', { type: 'module', exports: './index.js', sideEffects: false }),
  'icons/index.js': 'export const Star = "star"; export const Moon = "moon"; export default "all";',
  'old/package.json': manifest('old'),
  'old/index.js': `exports.__esModule = true; exports.default = 'default of old'; exports.x = 'x';
    try { require('not-there'); } catch (error) { exports.optional = error.message; }
    exports.empty = Object.keys(require('fs')).length;`,
  'cjs/package.json': manifest('cjs'),
  'cjs/index.js': 'module.exports = { a: 1, env: process.env.NODE_ENV, only: require("./sub").s };',
  'cjs/sub/index.js': 'exports.s = "sub";',
  'strict/package.json': manifest('strict', { type: 'module', exports: './index.js' }),
  'strict/index.js': 'import old from "old"; export const whole = typeof old;',
  'styled/package.json': manifest('styled', { exports: { '.': './index.js', './css': './style.css' } }),
  'styled/index.js': 'import "./own.css"; export const styled = true;',
  'styled/style.css': '.styled { color: red }',
  'styled/own.css': '.own { color: blue }',
  'effects/package.json': manifest('effects', { sideEffects: ['**/global.js', `${'*a'.repeat(100)}x`] }),
  'effects/index.js': `import "./global.js"; import "./unused.js"; import "./${LONG}.js"; export const e = 1;`,
  [`effects/${LONG}.js`]: 'globalThis.log("nor this one");',
  'effects/global.js': 'globalThis.log("side effect");',
  'effects/unused.js': 'globalThis.log("not this one");',
});

function manifest(name: string, fields: object = {}): string {
  return JSON.stringify({ name, version: '1.2.3', ...fields });
}

async function run(texts: Texts): Promise<unknown[][]> {
  const { files } = await buildTexts({ 'index.html': PAGE, ...texts }, { packages: PACKAGES });
  return runScripts(files);
}

function textsOf(files: ReadonlyMap<string, Uint8Array>): string[][] {
  return [...files].map(([path, content]) => [path, Buffer.from(content).toString()]);
}

describe('the root folder', () => {
  const html = (src: string) => `<script type="module" src="${src}"></script>`;
  const client = {
    'client/src/main.ts': 'import { tree } from "@/tree"; import "../../shared/a"; log(tree)',
    'client/src/tree.ts': 'export const tree = "pear";',
    'client/public/pear.txt': 'pear',
    'shared/a.ts': 'log("shared")',
    'public/other.txt': 'of another root',
  };
  const paths = (target: string) => `{ "compilerOptions": { "paths": { "@/*": ["${target}"] } } }`;
  it.each<[string, Texts]>([
    [
      'is that of the page',
      { ...client, 'client/index.html': html('./src/main.ts'), 'client/tsconfig.json': paths('./src/*') },
    ],
    [
      'has the paths that begin with a slash',
      { ...client, 'client/index.html': html('/src/main.ts'), 'tsconfig.json': paths('./client/src/*') },
    ],
    [
      'is that of the configuration of Vite',
      {
        ...client,
        'index.html': '<p>another page</p>',
        'client/index.html': html('/src/main.ts'),
        'vite.config.ts': `import { resolve } from 'node:path';
export default { root: resolve(import.meta.dirname, 'client'), resolve: { alias: { '@': resolve(import.meta.dirname, 'client', 'src') } } };`,
      },
    ],
  ])('%s', async (_, texts) => {
    const { files, report } = await buildTexts(texts);
    expect(await runScripts(files)).toEqual([['shared'], ['pear']]);
    expect([...files.keys()].filter((path) => !path.startsWith('assets/'))).toEqual(['index.html', 'pear.txt']);
    expect(report.warnings).toEqual([]);
    const map = [...files].find(([path]) => path.endsWith('.js.map'))?.[1] ?? '{}';
    expect(JSON.parse(Buffer.from(map).toString()).sources).toContain('../client/src/main.ts');
  });

  it('is the whole project for a page in a folder that loads its scripts from the top', async () => {
    const { files } = await buildTexts({
      'src/index.html': html('/src/main.ts'),
      'src/main.ts': 'log("main")',
    });
    expect(await runScripts(files)).toEqual([['main']]);
  });

  it('names a page that is linked, and not published', async () => {
    const { report } = await buildTexts({
      'index.html': `<a href="about.html#us">us</a>${html('/src/main.ts')}`,
      'about.html': '<p>',
      'src/main.ts': '',
    });
    expect(report.warnings).toEqual([
      'index.html: It links to about.html, which is not published: put it into public/',
    ]);
  });

  it('names a file beside it that has the path of one in it', async () => {
    const texts = {
      'client/index.html': html('/src/main.ts'),
      'client/src/main.ts': 'import "../../src/tree"; import "./tree";',
      'client/src/tree.ts': 'log("inside")',
      'src/tree.ts': 'log("outside")',
    };
    await expect(buildTexts(texts)).rejects.toMatchObject({
      problems: [
        {
          path: 'client/src/main.ts',
          message:
            '"../../src/tree" is src/tree.ts beside client/, which has a file of that path, too: rename one of them',
        },
      ],
    });
  });

  it('is in the paths of problems', async () => {
    const texts = {
      'client/index.html': html('/src/main.ts'),
      'client/src/main.ts': '\nimport "./nowhere";',
    };
    await expect(buildTexts(texts)).rejects.toMatchObject({
      problems: [
        {
          path: 'client/src/main.ts',
          line: 2,
          message: '"./nowhere" is not in the project: there is no file client/src/nowhere',
        },
      ],
    });
  });
});

it('says that packages are what it waited for, which the next one may have', async () => {
  const page = '<script type="module">import "slow";</script>';
  const given = { 'index.html': page, 'package.json': '{ "dependencies": { "slow": "1" } }' };
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const open = () => {
    ask();
    return new Promise<never>(() => {});
  };
  const { setTimeout: schedule } = globalThis;
  let end = () => {};
  globalThis.setTimeout = ((callback: () => void) => {
    end = callback;
  }) as unknown as typeof schedule;
  const building = buildTexts(given, { packages: { open } });
  globalThis.setTimeout = schedule;
  await asked;
  end();
  await expect(building).rejects.toMatchObject({
    code: 'unavailable',
    problems: [{ message: expect.stringMatching(/^The registry did not deliver the packages within 20 s/) }],
  });
});

describe('build', () => {
  it.each<[string, string, unknown[]]>([
    ['names', 'import { Star as S } from "icons"; log(S)', ['star']],
    ['the default of an ES module', 'import all from "icons"; log(all)', ['all']],
    ['the default of a CommonJS module', 'import c from "cjs"; log(c.a, c.only)', [1, 'sub']],
    ['the default of a compiled module', 'import o, { x } from "old"; log(o, x)', ['default of old', 'x']],
    ['what Node.js gives a package that is strict about it', 'import { whole } from "strict"; log(whole)', ['object']],
    ['members of a namespace', 'import * as i from "icons"; log(i.Moon, i["Star"])', ['moon', 'star']],
    ['members that do not exist', 'import * as i from "icons"; log(i.Nope, i.Moon)', [undefined, 'moon']],
    ['members of a CommonJS namespace', 'import * as c from "cjs"; log(c.a, c.nope)', [1, undefined]],
    ['a namespace as a value', 'import * as i from "icons"; log(Object.keys(i).join())', ['Moon,Star,default']],
    ['a CommonJS namespace as a value', 'import * as c from "cjs"; log("a" in c, c.default.a)', [true, 1]],
    ['a name in a text as well', 'import * as icons from "icons"; log("icons", icons.Moon)', ['icons', 'moon']],
    ['dynamic imports', 'const m = await import("icons"); log(m.Star, m.default)', ['star', 'all']],
    ['dynamic imports of CommonJS', 'const m = await import("cjs"); log(m.a, m.default.a)', [1, 1]],
    [
      'a missing optional package',
      'import { optional, empty } from "old"; log(optional, empty)',
      ['The package "not-there" is not installed', 0],
    ],
    ['the mode', 'import { env } from "cjs"; log(env, process.env.NODE_ENV)', ['production', 'production']],
  ])('imports %s', async (_, script, logged) => {
    expect(await run({ 'src/main.tsx': `${script}; export {}` })).toEqual([logged]);
  });

  it('keeps the side effects that a package declares', async () => {
    expect(await run({ 'src/main.tsx': 'import { e } from "effects"; log(e)' })).toEqual([['side effect'], [1]]);
  });

  it.each([
    ['false', [[true], ['main']]],
    ['["*.css", "./src/a.ts"]', [[true], ['a'], ['main']]],
    ['true', [[true], ['a'], ['b'], ['main']]],
  ])('keeps the side effects that the project declares: %s', async (sideEffects, expected) => {
    const { files } = await buildTexts({
      'index.html': PAGE,
      'package.json': `{ "sideEffects": ${sideEffects} }`,
      'src/main.tsx':
        'import "./a"; import "./b"; import "./main.css"; new Worker(new URL("./work.ts", import.meta.url)); log("main")',
      'src/a.ts': 'log("a")',
      'src/b.ts': 'log("b")',
      'src/work.ts': 'log("of the worker")',
      'src/main.css': 'p { color: red }',
    });
    const worker = [...files.values()].some((content) => Buffer.from(content).includes('of the worker'));
    Object.assign(globalThis, { Worker: class {} });
    const logged = await runScripts(files);
    Reflect.deleteProperty(globalThis, 'Worker');
    expect([[worker], ...logged]).toEqual(expected);
    expect([...files.keys()].filter((path) => path.endsWith('.css'))).toHaveLength(1);
  });

  it.each(['./', ''])('has the relative base "%s" as Vite does', async (base) => {
    const texts = {
      'vite.config.ts': `export default { base: '${base}' }`,
      'src/main.tsx': 'const env = import.meta.env; log(env.BASE_URL, import.meta.env.BASE_URL)',
    };
    expect(await run(texts)).toEqual([['./', './']]);
  });

  it('passes names through barrels of own code', async () => {
    const texts = {
      'src/main.tsx': 'import { Star, own } from "./barrel"; log(Star, own); log((await import("./barrel")).Moon)',
      'src/barrel.ts': 'export * from "icons"; export const own = 1',
    };
    expect(await run(texts)).toEqual([['star', 1], ['moon']]);
  });

  it('resolves own files by extension, index, alias, root and the names of compiled files', async () => {
    const texts = {
      'tsconfig.json': '{ "compilerOptions": { "baseUrl": ".", "paths": { "~lib/*": ["src/lib/*"] } } }',
      'src/main.tsx': `import a from './a'; import b from './lib'; import c from '~lib/c'; import d from '/src/d.mjs';
        import e from './e.js'; import f from '@/lib/c'; import g from 'src/a'; import { Star } from 'icons';
        import data from './data.json'; log(a, b, c, d, e, f, g, Star, data.list[0])`,
      'src/a.ts': 'export default "a" as string',
      'src/lib/index.ts': 'export default "b"',
      'src/lib/c.tsx': 'export default "c"',
      'src/d.mjs': 'export default "d"',
      'src/e.ts': 'enum E { e = "e" } export default E.e',
      'src/data.json': '{ "list": [1] }',
    };
    expect(await run(texts)).toEqual([['a', 'b', 'c', 'd', 'e', 'c', 'a', 'star', 1]]);
  });

  it.each<[string, Texts, string | undefined]>([
    ['without a configuration', {}, undefined],
    ['for a new target', { 'tsconfig.json': '{ "compilerOptions": { "target": "ES2022" } }' }, undefined],
    ['for an old target', { 'tsconfig.json': '{ "compilerOptions": { "target": "ES2020" } }' }, 'set'],
    ['without a target', { 'tsconfig.json': '{}' }, 'set'],
    [
      'for the target of a reference',
      {
        'tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
        'tsconfig.app.json': '{ "compilerOptions": { "target": "esnext" } }',
      },
      undefined,
    ],
    ['for a target that a package has', { 'tsconfig.json': '{ "extends": "@vue/tsconfig/tsconfig.json" }' }, undefined],
    [
      'as the option says',
      { 'tsconfig.json': '{ "compilerOptions": { "target": "ES2020", "useDefineForClassFields": true } }' },
      undefined,
    ],
  ])('initializes fields of classes as Vite does %s', async (_, config, value) => {
    const main = `class Base { constructor() { this.start() } start() {} }
      class Derived extends Base { value?: string; start() { this.value = 'set' } }
      log(new Derived().value)`;
    expect(await run({ ...config, 'src/main.tsx': main })).toEqual([[value]]);
  });

  it('stores the bundle of the packages, and makes it again for other names only', async () => {
    const vendor = new MemorySlot();
    const first = await buildTexts(
      { 'index.html': PAGE, 'src/main.tsx': 'import { Star } from "icons"; log(Star)' },
      { packages: PACKAGES, vendor },
    );
    const edited = await buildTexts(
      { 'index.html': PAGE, 'src/main.tsx': 'import { Star } from "icons"; log(Star, 2)' },
      { packages: PACKAGES, vendor },
    );
    expect(vendor.writes).toBe(1);
    const changed = [...edited.files.keys()].filter((path) => !first.files.has(path));
    expect(changed).toEqual([expect.stringMatching(/^assets\/index-[0-9a-f]{16}\.js$/), `${changed[0]}.map`]);
    const other = await buildTexts(
      { 'index.html': PAGE, 'src/main.tsx': 'import { Moon } from "icons"; log(Moon)' },
      { packages: PACKAGES, vendor },
    );
    expect(vendor.writes).toBe(2);
    expect(await runScripts(other.files)).toEqual([['moon']]);
  });

  it('gives a script another name when a script that it loads changes', async () => {
    const names = async (text: string) => {
      const texts = {
        'index.html': PAGE,
        'src/main.tsx': 'log((await import("./Lazy")).default)',
        'src/Lazy.ts': `export default "${text}"`,
      };
      const { files } = await buildTexts(texts);
      expect(await runScripts(files)).toEqual([[text]]);
      return [...files.keys()].filter((path) => path.endsWith('.js'));
    };
    const [one, two] = [await names('one'), await names('two')];
    expect(one.length).toBe(2);
    expect(one.filter((name) => two.includes(name))).toEqual([]);
  });

  it('returns the same bytes for the same input', async () => {
    const texts = {
      'index.html': PAGE,
      'about.html': PAGE,
      'src/main.tsx':
        'import "styled/css"; import "./b.css"; import { Star } from "icons"; import("./x"); import("./y"); log(Star)',
      'src/b.css': '.b { color: green }',
      'src/x.ts': 'import { a } from "cjs"; log(a)',
      'src/y.ts': 'import { a } from "cjs"; log(a, 2)',
    };
    const [one, two] = await Promise.all([1, 2].map(() => buildTexts(texts, { packages: PACKAGES })));
    expect(textsOf(one?.files ?? new Map())).toEqual(textsOf(two?.files ?? new Map()));
    expect(one?.report).toEqual(two?.report);
    expect(one?.report.packages).toEqual({ cjs: '1.2.3', icons: '1.2.3', styled: '1.2.3' });
  });

  it('joins style sheets in the order of execution: packages, then own code', async () => {
    const texts = {
      'index.html': PAGE,
      'src/main.tsx':
        'import "styled/css"; import { styled } from "styled"; import "./a"; import "./main.css"; log(styled)',
      'src/a.ts': 'import "./a.css"',
      'src/a.css': '.a { color: #010203 }',
      'src/main.css': '.main { color: #040506 }',
    };
    const { files } = await buildTexts(texts, { packages: PACKAGES });
    const css = textsOf(files).find(([path]) => path?.endsWith('.css'))?.[1] ?? '';
    const order = ['.own', '.styled', '.a', '.main'].map((name) => css.indexOf(`${name}{`));
    expect(order.every((at) => at >= 0)).toBe(true);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(Buffer.from(files.get('index.html') ?? '').toString()).toMatch(
      /<link rel="stylesheet" crossorigin href="\/assets\/index-[0-9a-f]{16}\.css">/,
    );
  });

  it('keeps the names of own code in a preview, with a source map', async () => {
    const { files } = await buildTexts(
      { 'index.html': PAGE, 'src/main.tsx': 'const longName: number = Math.random();\nlog(longName)' },
      { preview: true },
    );
    const script = textsOf(files).find(([path]) => path?.endsWith('.js'))?.[1] ?? '';
    expect(script).toContain('longName');
    const [, base64 = ''] = /sourceMappingURL=data:application\/json;base64,(\S+)/.exec(script) ?? [];
    const map = JSON.parse(Buffer.from(base64, 'base64').toString());
    expect(map.sources).toContain('src/main.tsx');
    expect(map.sourcesContent.join()).toContain('longName: number');
  });

  it('writes hidden source maps of own code, which the report does not count', async () => {
    const texts = {
      'index.html': `<title>A</title>
<script type="module" src="/src/main.tsx"></script>
<script type="module">
  import { Star } from 'icons';
  log(Star, 'in the page');
</script>`,
      'src/main.tsx': `import { Moon } from 'icons';
import { mode } from './mode';

interface Unused { readonly name: string }
export const lazy = () => import('./Lazy');
if (mode === Moon) throw new Error('in main');
log(lazy, mode);`,
      'src/mode.ts': `export const mode: string = import.meta.env.MODE;
if (Math.random() > 2) log('in mode');`,
      'src/Lazy.ts': `import { mode } from './mode';
export default () => { log('in lazy', mode); };`,
    };
    const { files, report } = await buildTexts(texts, { packages: PACKAGES });
    const scripts = textsOf(files).filter(([path]) => path?.endsWith('.js'));
    const placeOf = (text: string) => {
      const [path = '', code = ''] = scripts.find(([, script]) => script?.includes(text)) ?? [];
      const map = new TraceMap(Buffer.from(files.get(`${path}.map`) ?? '').toString(), `${path}.map`);
      const before = code.slice(0, code.indexOf(text) - 1).split('\n');
      const place = originalPositionFor(map, { line: before.length, column: before.at(-1)?.length ?? 0 });
      return `${place.source}:${place.line}:${Number(place.column) + 1}`;
    };
    expect(['in the page', 'in main', 'in mode', 'in lazy'].map(placeOf)).toEqual([
      'index.html:5:13',
      'src/main.tsx:6:36',
      'src/mode.ts:2:28',
      'src/Lazy.ts:2:28',
    ]);
    expect(scripts.map(([, code]) => code).join()).not.toContain('sourceMappingURL');
    const maps = [...files.keys()].filter((path) => path.endsWith('.map'));
    expect(maps.every((path) => files.has(path.slice(0, -'.map'.length)))).toBe(true);
    expect(maps.some((path) => path.includes('icons'))).toBe(false);
    expect(report.files).toBe(files.size - maps.length);
    expect(report.bytes).toBe(
      [...files].reduce((sum, [path, { length }]) => sum + (path.endsWith('.map') ? 0 : length), 0),
    );
  });
});
