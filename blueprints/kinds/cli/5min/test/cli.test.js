import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../cli.js', import.meta.url));
let folder;
let runLine;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
  process.chdir(folder);
  // The home directory is read when the module is loaded, so lists and settings of the developer stay untouched.
  Object.assign(process.env, { HOME: folder, USERPROFILE: folder, NO_COLOR: '1' });
  ({ run: runLine } = await import('../src/run.js'));
});
afterEach(() => {
  process.chdir(tmpdir());
  rmSync(folder, { recursive: true });
});

/** Runs a command line and returns its exit status and what it prints. */
function run(...words) {
  const lines = { log: [], error: [] };
  const [log, error] = ['log', 'error'].map((name) => (text) => lines[name].push(text));
  const status = runLine(['--file', 'list.json', ...words], { log, error });
  return { status, out: lines.log.join('\n').trim(), err: lines.error.join('\n').trim() };
}

test('entries are added, listed, completed and removed', () => {
  assert.equal(run('add', 'First', 'one').out, 'Added 1  First one');
  run('add', 'Second');
  assert.equal(run('done', '1').out, 'Done 1  First one');
  assert.equal(run('list').out, '2  Second');
  assert.equal(run('list', '--all').out, '1  First one  (done)\n 2  Second');
  run('remove', '1');
  assert.equal(run('list', '--all').out, '2  Second');
});

test('entries are edited and searched', () => {
  run('add', 'Read a book');
  assert.equal(run('edit', '1', 'Read', 'two', 'books').out, 'Changed 1  Read two books');
  assert.equal(run('search', 'BOOKS', 'two').out, '1  Read two books');
  assert.equal(run('search', 'three').out, 'Nothing found.');
  assert.equal(run('edit', '1').status, 2);
});

test('lists are exported and imported in every format', () => {
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

test('errors have a message and an exit status', () => {
  writeFileSync(join(folder, 'broken.json'), '{');
  assert.equal(run('import', 'broken.json').status, 1);
  assert.equal(run('import', 'missing.json').status, 1);
  assert.equal(run('export', 'list.doc').status, 2);
  assert.equal(run('export', 'no-such-folder/list.csv').status, 1);
  assert.equal(run('done', '7').err, 'No entry has the number 7.');
  assert.equal(run('fly').status, 2);
  assert.equal(run('list', '--nothing').status, 2);
});

test('completions name every command', () => {
  for (const shell of ['bash', 'zsh', 'fish']) assert.match(run('completion', shell).out, /add list done remove/);
  assert.equal(run('completion', 'sh').status, 2);
});

test('the program prints, and ends with the exit status', () => {
  const { status, stdout } = spawnSync(process.execPath, [CLI, '--file', 'list.json', 'list'], { encoding: 'utf8' });
  assert.deepEqual({ status, stdout }, { status: 0, stdout: `${run('list').out}\n` });
  assert.equal(spawnSync(process.execPath, [CLI, 'fly']).status, 2);
});
