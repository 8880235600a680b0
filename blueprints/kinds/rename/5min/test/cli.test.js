import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../cli.js', import.meta.url));
let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rename-'));
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(folder, name), name);
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...words) => spawnSync(process.execPath, [CLI, folder, ...words], { encoding: 'utf8' });
const names = () => readdirSync(folder).filter((name) => !name.startsWith('.'));

test('nothing changes without --apply, and --undo reverts a run', () => {
  assert.match(run('--to', 'x{n}').stdout, /a\.txt → x1\.txt\nb\.txt → x2\.txt/);
  assert.deepEqual(names(), ['a.txt', 'b.txt']);
  assert.equal(run('--to', 'x{n}', '--apply').status, 0);
  assert.deepEqual(names(), ['x1.txt', 'x2.txt']);
  run('--undo');
  assert.deepEqual(names(), ['a.txt', 'b.txt']);
  assert.match(run('--undo').stderr, /nothing to undo/);
});

test('files can take the names of each other', () => {
  run('--replace', '^a$', '--with', 'c', '--regex', '--apply');
  assert.deepEqual(names(), ['b.txt', 'c.txt']);
  assert.equal(run('--replace', 'c', '--with', 'b', '--apply').status, 1);
  run('--to', 'c{n}', '--apply');
  run('--to', 'c{n}', '--case', 'upper', '--apply');
  assert.equal(readFileSync(join(folder, 'C1.txt'), 'utf8'), 'b.txt');
});

test('wrong use ends with a status', () => {
  assert.equal(run().status, 2);
  assert.equal(run('--nothing').status, 1);
  assert.equal(spawnSync(process.execPath, [CLI, join(folder, 'missing'), '--to', 'x']).status, 1);
});
