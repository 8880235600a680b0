import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileChange } from '../../../../lambda/contract/responses/generate.ts';
import { changesBetween } from '../../../../lambda/generation/edits/changes.ts';
import type { ProjectContents } from '../../../../lambda/stored/projects/project-contents.ts';
import { temporaryFolder } from '../../../support/at-end.ts';
import { processorTime } from '../../../support/linear-time.ts';

const BEFORE: ProjectContents = new Map<string, string | Uint8Array>([
  ['a file.txt', 'one\ntwo\nthree\n'],
  ['dos.txt', 'one\r\ntwo\r\n'],
  ['no-end.txt', 'one\ntwo'],
  ['ends-later.txt', 'one'],
  ['emptied.txt', 'one\n'],
  ['gone.txt', 'gone\n'],
  ['moved.txt', 'the same content\n'],
  ['photo.png', Uint8Array.of(255, 254, 0)],
  ['ünïcode.md', '# ä\n'],
  ['same.txt', 'same\n'],
]);
const AFTER: ProjectContents = new Map<string, string | Uint8Array>([
  ['a file.txt', 'one\n2\nthree\n'],
  ['dos.txt', 'one\r\n2\r\n'],
  ['no-end.txt', 'one\n2'],
  ['ends-later.txt', 'one\n'],
  ['emptied.txt', ''],
  ['folder/new file.txt', '-- looks like a header\n++ as well\n'],
  ['folder/moved.txt', 'the same content\n'],
  ['empty.txt', ''],
  ['photo.png', Uint8Array.of(255, 254, 1)],
  ['ünïcode.md', '# ö\n'],
  ['same.txt', 'same\n'],
]);

it('says what was added, changed, deleted and renamed', () => {
  const changes = changesBetween(BEFORE, AFTER);
  expect(changes.map(({ path, change, from }) => (from ? [path, change, from] : [path, change]))).toEqual([
    ['a file.txt', 'changed'],
    ['dos.txt', 'changed'],
    ['emptied.txt', 'changed'],
    ['empty.txt', 'added'],
    ['ends-later.txt', 'changed'],
    ['folder/moved.txt', 'renamed', 'moved.txt'],
    ['folder/new file.txt', 'added'],
    ['gone.txt', 'deleted'],
    ['no-end.txt', 'changed'],
    ['photo.png', 'changed'],
    ['ünïcode.md', 'changed'],
  ]);
  const without = changes.filter(({ diff }) => diff === undefined).map(({ path }) => path);
  expect(without).toEqual(['empty.txt', 'folder/moved.txt', 'photo.png']);
});

const folder = temporaryFolder();
it('has diffs that git applies byte for byte', () => {
  for (const [path, content] of BEFORE) writeFileSync(join(folder, path), content);
  const patch = changesBetween(BEFORE, AFTER)
    .map(({ diff = '' }) => diff)
    .join('');
  execFileSync('git', ['apply', '-'], { cwd: folder, input: patch });
  for (const [path, content] of AFTER) {
    if (['empty.txt', 'folder/moved.txt', 'photo.png'].includes(path)) continue;
    expect([path, readFileSync(join(folder, path), 'utf8')]).toEqual([path, content]);
  }
  expect(readdirSync(folder)).not.toContain('gone.txt');
});

it('bounds the size and the time of all diffs', () => {
  const lines = (seed: number) =>
    Array.from({ length: 10_000 }, (_, i) => `${(i * 7_919 * seed) % 104_729} of a line that is rewritten\n`).join('');
  const files = (seed: number): ProjectContents =>
    new Map(Array.from({ length: 4 }, (_, i) => [`file-${i}.txt`, lines(seed + i)]));
  const [before, after] = [files(1), files(100)];
  let changes: FileChange[] = [];
  const microseconds = processorTime(() => {
    changes = changesBetween(before, after);
  });
  expect(microseconds).toBeLessThan(6_000_000);
  expect(changes).toHaveLength(4);
  expect(changes.reduce((sum, { diff = '' }) => sum + diff.length, 0)).toBeLessThanOrEqual(1_000_000);
});
