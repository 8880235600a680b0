import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../cli.js', import.meta.url));
let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a command line in a folder of its own, which is also the home directory. */
function run(...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, '--file', 'list.json', ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, HOME: folder, USERPROFILE: folder, NO_COLOR: '1' },
  });
  return { status, out: stdout.trim(), err: stderr.trim() };
}

test('entries are added, listed, done and removed', () => {
  assert.equal(run('add', 'First', 'one').out, 'Added 1  First one');
  run('add', 'Second');
  assert.equal(run('done', '1').out, 'Done 1  First one');
  assert.equal(run('list').out, '2  Second');
  assert.equal(run('list', '--all').out, '1  First one  (done)\n 2  Second');
  run('remove', '1');
  assert.equal(run('list', '--all').out, '2  Second');
});

test('entries are written anew and searched', () => {
  run('add', 'Read a book');
  assert.equal(run('edit', '1', 'Read', 'two', 'books').out, 'Changed 1  Read two books');
  assert.equal(run('search', 'BOOKS', 'two').out, '1  Read two books');
  assert.equal(run('search', 'three').out, 'Nothing found.');
  assert.equal(run('edit', '1').status, 2);
});

test('lists leave and come back in every format', () => {
  run('add', 'With, a comma and "quotes"');
  run('add', '=SUM(1)\nin one line');
  run('done', '2');
  for (const extension of ['json', 'csv', 'md']) {
    assert.equal(run('export', `out.${extension}`).out, `Wrote 2 to out.${extension}`);
    assert.equal(run('--file', 'other.json', 'import', `out.${extension}`).out, `Imported 2 from out.${extension}`);
    const entries = JSON.parse(readFileSync(join(folder, 'other.json'), 'utf8'));
    assert.deepEqual(entries, JSON.parse(readFileSync(join(folder, 'list.json'), 'utf8')), extension);
    rmSync(join(folder, 'other.json'));
  }
});

test('what does not work says why, and what the shell may know', () => {
  writeFileSync(join(folder, 'broken.json'), '{');
  assert.equal(run('import', 'broken.json').status, 1);
  assert.equal(run('import', 'missing.json').status, 1);
  assert.equal(run('export', 'list.doc').status, 2);
  assert.equal(run('export', 'no-such-folder/list.csv').status, 1);
  assert.equal(run('done', '7').err, 'There is no number 7.');
  assert.equal(run('fly').status, 2);
  assert.equal(run('list', '--nothing').status, 2);
});

test('completions name every command', () => {
  for (const shell of ['bash', 'zsh', 'fish']) assert.match(run('completion', shell).out, /add list done remove/);
  assert.equal(run('completion', 'sh').status, 2);
});
