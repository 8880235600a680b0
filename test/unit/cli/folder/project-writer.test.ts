import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder, ProjectWriter } from '../../../../cli/folder/project-writer.ts';
import { NewFolder } from '../../../../cli/ptp/project-output.ts';
import { testRows } from '../../../support/rows.ts';
import { files, planter } from './tree.ts';

const tree = planter();

describe('the folder of a generated project', () => {
  it('is created with the first file, and has only what was written', () => {
    const folder = join(tree({}), 'a/b');
    const writer = new ProjectWriter(folder);
    expect(existsSync(folder)).toBe(false);
    writer.write('index.html', 'one');
    writer.write('src/deep/app.js', 'x');
    writer.write('index.html', 'two');
    expect(writer.count).toBe(2);
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe('two');
    expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual([
      'index.html',
      'src',
      'src/deep',
      'src/deep/app.js',
    ]);
  });

  it('is summed up as its files and their size', () => {
    const output = new NewFolder(join(tree({}), 'a'), undefined);
    expect(output.left()).toBeUndefined();
    output.take('index.html', Buffer.from('one'));
    expect(output.left()).toBe('1 complete file');
    output.finish(new Map(['index.html', 'app.js'].map((path) => [path, Buffer.from(path)])));
    expect(output.summary()).toBe('2 files, 16 B,');
  });

  it('must be empty, apart from a repository', () => {
    expect(new ProjectWriter(tree(files('.git/HEAD'))).count).toBe(0);
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const full = tree(files(...names));
    expect(() => new ProjectWriter(full)).toThrow(`The folder "${full}" is not empty (a, b, c, d, e and 2 more): `);
    expect(() => new ProjectWriter(join(full, 'a'))).toThrow('is a file: choose a folder with -o');
  });

  it('keeps a file that appeared meanwhile, unless forced', () => {
    const folder = tree({});
    const writer = new ProjectWriter(folder);
    new ProjectWriter(folder).write('index.html', 'theirs');
    expect(() => writer.write('index.html', 'ours')).toThrow('index.html exists: it is replaced only with --force');
    new ProjectWriter(folder, true).write('index.html', 'forced');
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe('forced');
  });

  testRows(['../x', '/etc/x', 'a/../../x', 'C:\\x', 'a\\..\\x', 'a//b', 'x/HEAD', ''])(
    'has no file at an unsafe path',
    (path) => {
      const folder = tree({});
      expect(() => new ProjectWriter(folder).write(path, 'x')).toThrow('The service sent a file whose path');
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('is not left through a symbolic link', () => {
    const [outside, folder] = [tree(files('secret')), tree({})];
    const root = tree({
      assets: `-> ${outside}`,
      'index.html': `-> ${outside}/secret`,
      folder: `-> ${folder}`,
    });
    const writer = new ProjectWriter(root, true);
    expect(() => writer.write('assets/x', 'x')).toThrow('assets is not a folder: nothing is written through it');
    writer.write('index.html', 'page');
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('x');
    expect(readFileSync(join(root, 'index.html'), 'utf8')).toBe('page');
    new ProjectWriter(join(root, 'folder')).write('index.html', 'through the link that the user named');
    expect(readdirSync(folder)).toEqual(['index.html']);
  });

  it('gets nothing that git or ptp would trust', () => {
    const folder = tree({});
    const writer = new ProjectWriter(folder);
    const paths = [
      '.git/hooks/post-checkout',
      'sub/.GIT/config',
      '.g\u200cit/config',
      '.ptp.json',
      'a/.ptp\u200c.json',
      'PTP~1.JSO',
      '.gitignore',
    ];
    for (const path of paths) writer.write(path, 'x');
    expect([...writer.refused]).toEqual(paths.slice(0, -1));
    expect(readdirSync(folder)).toEqual(['.gitignore']);
  });
});

describe('the name of a new folder', () => {
  testRows([
    ['an expense tracker', 'expense-tracker'],
    ['Build me a simple Kanban board with drag & drop!', 'kanban-board'],
    ['a landing page for a bakery in Porto, that sells bread', 'landing-page-for-a-bakery'],
    ['Ein Ausgaben-Tracker für Familien', 'ein-ausgaben-tracker-fur'],
    ['  \n クイズ ', 'クイズ'],
    ['한국어 퀴즈', '한국어-퀴즈'],
    ['../../etc/passwd', 'project'],
    ['con', 'project'],
    ['???', 'project'],
    ['x'.repeat(99), 'x'.repeat(30)],
  ])('comes from the prompt', (prompt, name) => {
    expect(newFolder(prompt, '/nowhere')).toBe(`/nowhere/${name}`);
  });

  it('is one that does not exist yet', () => {
    const cwd = tree(files('quiz/index.html', 'quiz-2'));
    expect(newFolder('a quiz', cwd)).toBe(join(cwd, 'quiz-3'));
  });
});
