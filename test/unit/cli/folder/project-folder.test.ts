import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProjectFolder } from '../../../../cli/folder/project-writer.ts';
import { scanFolder } from '../../../../cli/folder/scan.ts';
import { testRows } from '../../../support/rows.ts';
import { planter, type Tree } from './tree.ts';

const plant = planter();

/** Returns a folder and its project, as it is sent. */
function folder(content: Tree) {
  const root = plant(content);
  return { root, open: () => new ProjectFolder(root, scanFolder(root, root, {}).files) };
}
const project = (files: Readonly<Record<string, string>>) =>
  new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]));

it('replaces a folder by a file, and a file by a folder', () => {
  const { root, open } = folder({ 'a/b/e.txt': 'e', c: 'c' });
  const { changes, kept } = open().apply(project({ a: 'a', 'c/d.txt': 'd' }));
  expect(changes).toEqual([
    { path: 'a/b/e.txt', change: 'deleted' },
    { path: 'c', change: 'deleted' },
    { path: 'a', change: 'added' },
    { path: 'c/d.txt', change: 'added' },
  ]);
  expect(kept).toEqual([]);
  expect(['a', 'c/d.txt'].map((path) => readFileSync(join(root, path), 'utf8'))).toEqual(['a', 'd']);
});

testRows(['../outside.txt', '/etc/outside.txt', 'a/../../b', 'a\\b', 'CON', 'a//b'])(
  'refuses an unsafe path before it changes anything',
  (path) => {
    const { root, open } = folder({ 'a.txt': 'a' });
    expect(() => open().apply(project({ 'b.txt': 'b', [path]: 'x' }))).toThrow('The service sent a file whose path');
    expect([existsSync(join(root, 'a.txt')), existsSync(join(root, 'b.txt'))]).toEqual([true, false]);
  },
);

it('writes nothing that other tools trust, that was not sent, or that a link leads to', () => {
  const { root, open } = folder({ 'a.txt': 'a', '.env': 'SECRET' });
  const other = folder({ 'b.txt': 'b' });
  const sent = open();
  mkdirSync(join(root, '.git'));
  symlinkSync(other.root, join(root, 'out'));
  symlinkSync(join(other.root, 'b.txt'), join(root, 'link.txt'));
  const paths = ['.git/hooks/post-checkout', '.ptp.json', '.env', 'out/c.txt', 'link.txt'];
  const { changes, kept } = sent.apply(
    project({ 'a.txt': 'a', ...Object.fromEntries(paths.map((path) => [path, 'x'])) }),
  );
  expect([changes, kept.map(({ path }) => path)]).toEqual([[], paths]);
  expect(readFileSync(join(root, '.env'), 'utf8')).toBe('SECRET');
  expect(existsSync(join(other.root, 'c.txt'))).toBe(false);
  expect(readFileSync(join(other.root, 'b.txt'), 'utf8')).toBe('b');
});

it('takes what is there already', () => {
  const { root, open } = folder({ 'a.txt': 'a', 'b.txt': 'b' });
  const sent = open();
  writeFileSync(join(root, 'a.txt'), 'new');
  rmSync(join(root, 'b.txt'));
  expect(sent.apply(project({ 'a.txt': 'new' }))).toEqual({
    changes: [
      { path: 'b.txt', change: 'deleted' },
      { path: 'a.txt', change: 'changed' },
    ],
    kept: [],
  });
});
