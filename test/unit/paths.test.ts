import { globSync, readFileSync, statSync } from 'node:fs';
import { basename, matchesGlob, posix } from 'node:path';

/** Folders that are not in the repository. */
const MADE = ['node_modules', 'dist', 'cdk.out', 'coverage', '.git', '.local'];
const files = globSync('**', { exclude: (path) => MADE.includes(basename(path)) })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => statSync(path).isFile());
const paths = new Set(files.flatMap((file) => [file, ...foldersOf(file)]));
const top = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/', 1)[0]));

function foldersOf(file: string): string[] {
  const folder = posix.dirname(file);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

/** Paths in projects and of pages, not in the repository. */
const OTHERS = ['src/app.ts', 'docs/index.html'];

/** Returns the paths in code font: those that begin with a folder at the top, and names of modules. */
function named(text: string): string[] {
  const words = Array.from(text.matchAll(/`([\w.<>*/-]+)`/g), ([, word]) => String(word));
  return words.filter((word) => {
    const isPath = word.includes('/') && top.has(word.split('/', 1)[0]);
    const isModule = /^\w[\w/-]*(?:\.[\w-]+)*\.tsx?$/.test(word);
    return (isPath || isModule) && !OTHERS.includes(word) && !MADE.includes(word.split('/')[0] ?? '');
  });
}

/** A path from the top, with `<kind>` or `*` for any name, or the end of one. */
function exists(path: string): boolean {
  const pattern = path.replace(/\/$/, '').replaceAll(/<\w+>/g, '*');
  const isFull = top.has(pattern.split('/', 1)[0]) && pattern.includes('/');
  if (!pattern.includes('*'))
    return paths.has(pattern) || (!isFull && files.some((file) => file.endsWith(`/${pattern}`)));
  return [...paths].some((known) => matchesGlob(known, isFull ? pattern : `**/${pattern}`));
}

const unreleased = () => readFileSync('CHANGELOG.md', 'utf8').split(/^## /m)[1] ?? '';
const pages = files.filter(
  (file) => /^(?:[A-Z]+|docs\/.+|(?:evaluate|local)\/README)\.md$/.test(file) && file !== 'CHANGELOG.md',
);

it('knows what a path is', () => {
  expect(named('`lambda/http/` `start.ts` `a.b` `/client.d.ts` `text/html` `docs/x.md`')).toEqual([
    'lambda/http/',
    'start.ts',
    'docs/x.md',
  ]);
  expect(['lambda/http/', 'router.ts', 'blueprints/kinds/<kind>/kind.ts', '*.handler.ts'].filter(exists)).toHaveLength(
    4,
  );
  expect(['lambda/nowhere/', 'nowhere.ts', 'blueprints/kinds/<kind>/none.ts'].filter(exists)).toEqual([]);
});

it('is true of every path that a page names', () => {
  const texts = [...pages.map((page) => [page, readFileSync(page, 'utf8')]), ['CHANGELOG.md', unreleased()]];
  const missing = texts.flatMap(([page, text = '']) =>
    named(text).flatMap((path) => (exists(path) ? [] : [`${page}: ${path}`])),
  );
  expect(missing).toEqual([]);
});

it('is true of every path that a comment names', () => {
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/^blueprints\/(?:kinds|shared)\//.test(file));
  const missing = sources.flatMap((source) => {
    const comments = readFileSync(source, 'utf8').match(/^\s*(?:\/\/|\/?\*).*$/gm) ?? [];
    return named(comments.join('\n')).flatMap((path) => (exists(path) ? [] : [`${source}: ${path}`]));
  });
  expect(missing).toEqual([]);
});

it('holds of the tree: the architecture names every folder', () => {
  const [, tree = ''] =
    readFileSync('docs/architecture.md', 'utf8')
      .split(/^## /m)
      .find((part) => part.startsWith('The tree'))
      ?.split('|---|---|') ?? [];
  // Not those that somebody has made here, such as a state folder.
  const folders = new Set(files.filter((file) => /\.(?:tsx?|md)$/.test(file)).flatMap(foldersOf));
  const rooms = [...folders].filter((path) =>
    /^(?:[^/.]+|(?:lambda|lib|blueprints|cli|local|web|test)\/[^/]+)$/.test(path),
  );
  expect(rooms.filter((folder) => !tree.includes(`\`${folder}/`))).toEqual([]);
});
