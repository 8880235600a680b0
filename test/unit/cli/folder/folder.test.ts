import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { scanFolder } from '../../../../cli/folder/scan.ts';
import { findSite } from '../../../../cli/folder/site.ts';
import { testRows } from '../../../support/rows.ts';
import { files, planter, type Tree } from './tree.ts';

const tree = planter();

function scan(root: string, dir = '.', options: { sourceMaps?: boolean; asIs?: boolean } = {}) {
  const site = findSite(join(root, dir), options);
  const { files: found, leftOut } = scanFolder(site.folder, site.outermost, options);
  return {
    folder: relative(root, site.folder) || '.',
    files: found.map(({ path }) => path),
    leftOut: Object.fromEntries(leftOut.map(({ path, reason }) => [path, reason])),
  };
}

const BUILD = JSON.stringify({ scripts: { build: 'vite build' } });

describe('the folder that is deployed', () => {
  testRows<[string, Tree, string]>([
    ['the folder itself', files('index.html', 'dist/app.js'), '.'],
    [
      'dist before build, out and public',
      files('public/index.html', 'out/index.html', 'build/index.html', 'dist/index.html'),
      'dist',
    ],
    ['out, if dist has no page', files('dist/app.js', 'out/index.html'), 'out'],
    ['dist, although git ignores it', { ...files('dist/index.html'), '.gitignore': 'dist\n' }, 'dist'],
    [
      'dist of a project with a build script',
      { ...files('index.html', 'dist/index.html'), 'package.json': BUILD },
      'dist',
    ],
    ['public without a build script', { ...files('public/index.html'), 'package.json': '{}' }, 'public'],
    [
      'public that a build script writes',
      { ...files('public/index.html'), 'package.json': BUILD, '.gitignore': '/public' },
      'public',
    ],
    ['not public that a build script reads', { ...files('public/index.html'), 'package.json': BUILD }, '.'],
  ])('is the build or the folder itself', (_, content, expected) => {
    const root = tree(content);
    expect(scan(root).folder).toBe(expected);
    expect(scan(root, '.', { asIs: true }).folder).toBe('.');
  });

  it('is the named output folder of a project, which keeps .ptp.json', () => {
    const root = tree(files('package.json', 'dist/index.html', 'site/out/index.html'));
    expect(findSite(join(root, 'dist'))).toMatchObject({ project: root, folder: join(root, 'dist') });
    const out = join(root, 'site/out');
    expect(findSite(out)).toMatchObject({ project: out, folder: out });
  });

  it('is no output folder that is a link to another folder', () => {
    const outside = tree(files('index.html'));
    const root = tree({ ...files('index.html', 'pages/index.html'), dist: `-> ${outside}` });
    expect(() => findSite(root)).toThrow(`leads out of the folder, to ${outside}`);
    expect(findSite(root, { asIs: true }).folder).toBe(root);
    const inside = tree({ ...files('pages/index.html'), out: '-> pages' });
    expect(findSite(inside).folder).toBe(join(inside, 'out'));
  });

  testRows([
    [{}, 'npm install && npm run build'],
    [files('pnpm-lock.yaml', 'node_modules/x/index.js'), 'pnpm run build'],
    [files('yarn.lock'), 'yarn install && yarn run build'],
    [files('dist/index.html'), undefined],
  ] as const)('needs a build if a script would make it', (more, build) => {
    expect(findSite(tree({ ...files('index.html'), 'package.json': BUILD, ...more })).build).toBe(build);
  });

  it('must be a folder that exists', () => {
    const root = tree(files('index.html'));
    expect(() => findSite(join(root, 'nowhere'))).toThrow(/There is no folder ".*nowhere"/);
    expect(() => findSite(join(root, 'index.html'))).toThrow('is a file: name the folder that it is in');
  });
});

describe('the files of a folder', () => {
  testRows<[string, Tree, string[], Record<string, string>]>([
    [
      'leave out what is never part of a site',
      files(
        'index.html',
        '.env',
        '.env.local',
        '.envrc',
        '.git/HEAD',
        'a/node_modules/x.js',
        '.DS_Store',
        '.ptp.json',
        '.npmrc',
      ),
      ['index.html'],
      {
        '.env': 'may have secrets',
        '.env.local': 'may have secrets',
        '.envrc': 'may have secrets',
        '.git/': 'repository',
        'a/node_modules/': 'installed packages',
        '.DS_Store': 'hidden',
        '.ptp.json': 'has the token of the deployment',
        '.npmrc': 'hidden',
      },
    ],
    ['have .well-known', files('.well-known/security.txt', '.x/y'), ['.well-known/security.txt'], { '.x/': 'hidden' }],
    ['leave out source maps', files('a.js', 'a.js.map'), ['a.js'], { 'a.js.map': 'source map' }],
    [
      'follow .gitignore at every depth',
      {
        ...files('a.log', 'b/a.log', 'b/keep.log', 'b/c/only', 'b/c/d/only', 'tmp/x'),
        '.gitignore': '*.log\n# no\n\ntmp/\n',
        'b/.gitignore': '!keep.log\n/c/only\n',
      },
      ['b/c/d/only', 'b/keep.log'],
      { 'a.log': '.gitignore', 'b/a.log': '.gitignore', 'b/c/only': '.gitignore', 'tmp/': '.gitignore' },
    ],
    [
      'follow .ptpignore before .gitignore and the built-in rules',
      {
        ...files('drafts/x', 'made/app.js', 'world.map', '.htaccess'),
        '.gitignore': 'made/',
        '.ptpignore': 'drafts\n!made/\n!world.map\n!.htaccess',
      },
      ['.htaccess', 'made/app.js', 'world.map'],
      { 'drafts/': '.ptpignore' },
    ],
    [
      'never have secrets, even if .ptpignore asks for them',
      { ...files('.env', 'node_modules/x', 'a'), '.ptpignore': '!.*\n!node_modules' },
      ['.ptpignore', 'a'],
      { '.env': 'may have secrets', 'node_modules/': 'installed packages' },
    ],
    [
      'are those of links within the folder',
      { ...files('real/a.txt'), 'link.txt': '-> real/a.txt', linked: '-> real', 'real/up': '-> ..' },
      ['link.txt', 'linked/a.txt', 'real/a.txt'],
      { 'linked/up/': 'link to a folder that it is in', 'real/up/': 'link to a folder that it is in' },
    ],
    ['have paths in NFC', files('cafe\u0301.html'), ['café.html'], {}],
    [
      'may be in folders with the characters of patterns',
      { ...files('[a]*/x.js', '[a]*/y.js', 'a/x.js'), '[a]*/.gitignore': 'x.js' },
      ['[a]*/y.js', 'a/x.js'],
      { '[a]*/x.js': '.gitignore' },
    ],
  ])('are found or left out', (_, content, expected, leftOut) => {
    const found = scan(tree(content));
    const rules = /\.(?:git|ptp)ignore$/;
    const others = Object.entries(found.leftOut).filter(([path]) => !rules.test(path));
    expect([found.files, Object.fromEntries(others)]).toEqual([expected, leftOut]);
  });

  it('have source maps if asked for', () => {
    expect(scan(tree(files('a.js', 'a.js.map')), '.', { sourceMaps: true }).files).toEqual(['a.js', 'a.js.map']);
  });

  it('follow no .gitignore in an output folder that git ignores', () => {
    const root = tree({
      ...files('dist/index.html', 'dist/app.js', 'dist/build/x.js', 'dist/draft.html'),
      '.gitignore': 'dist\n*.js\nbuild/',
      'dist/.gitignore': '*',
      '.ptpignore': 'draft.html',
    });
    expect(scan(root).files).toEqual(['app.js', 'build/x.js', 'index.html']);
  });

  it('follow the .gitignore of the repository that the folder is in', () => {
    const root = tree({ ...files('.git/HEAD', 'site/a.txt', 'site/a.log'), '.gitignore': '*.log\n/a.txt' });
    expect(scan(root, 'site').files).toEqual(['a.txt']);
  });

  it.each([
    ['out of the folder', '-> /etc/passwd', 'The symbolic link "x/link" leads out of the folder, to /etc/passwd'],
    ['to its parent', '-> ../..', 'The symbolic link "x/link" leads out of the folder'],
    ['nowhere', '-> missing', 'The symbolic link "x/link" leads nowhere'],
  ])('have no link that leads %s', (_, link, message) => {
    const root = tree({ ...files('index.html'), 'x/link': link });
    expect(() => scan(root)).toThrow(message);
    writeFileSync(join(root, '.ptpignore'), 'x/link');
    expect(scan(root).files).toEqual(['index.html']);
  });

  it('are those that git would commit, apart from hidden files', () => {
    const root = tree({
      ...files(
        'a b.txt',
        'a.tmp',
        'sub/a.tmp',
        'sub/deep/b.txt',
        'sub/deep/c.txt',
        'other/b.txt',
        'x/foo/y',
        'logs/a',
        'logs/keep',
        '#hash',
        '!bang',
        'trail ',
      ),
      '.gitignore': 'a\\ b.txt\n*.tmp\nx/**/y\nlogs/*\n!logs/keep\n\\#hash\n\\!bang\n',
      'sub/.gitignore': 'deep/b.txt\n!a.tmp\r\n/c.txt  \n',
      'other/.gitignore': '**/b.txt',
    });
    const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout;
    git('init', '-q');
    const kept = git('ls-files', '-z', '--others', '--exclude-standard').split('\0');
    const visible = kept.filter((path) => path !== '' && !/(^|\/)\./.test(path)).toSorted();
    expect(visible).toContain('sub/a.tmp');
    expect(scan(root).files).toEqual(visible);
  });
});
