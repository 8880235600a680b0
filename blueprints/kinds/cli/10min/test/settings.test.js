import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readSettings } from '../src/settings.js';
import { summary } from '../src/statistics.js';
import { read, write } from '../src/store.js';
import { swapBack } from '../src/undo.js';

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
});
after(() => rmSync(folder, { recursive: true }));

function settings(content, ...given) {
  const path = join(folder, 'rc.json');
  writeFileSync(path, content);
  return readSettings(path, new Set(given));
}

test('options on the command line take precedence over settings', () => {
  assert.deepEqual(settings('{ "all": true, "file": "~/list.json" }'), { all: true, file: `${homedir()}/list.json` });
  assert.deepEqual(settings('{ "all": true, "file": "list.json" }', 'file'), { all: true });
  assert.deepEqual(readSettings(join(folder, 'missing.json'), new Set()), {});
});

test('a typing error is reported', () => {
  assert.throws(() => settings('{ "al": true }'), /no setting “al”/);
  assert.throws(() => settings('{ "all": "yes" }'), /must be a boolean/);
  assert.throws(() => settings('{'), { status: 1 });
});

test('undo reverts one change, and a second undo restores it', () => {
  const file = join(folder, 'list.json');
  assert.equal(swapBack(file), false);
  write(file, [{ number: 1 }]);
  assert.equal(swapBack(file), true);
  assert.deepEqual(read(file), []);
  swapBack(file);
  assert.deepEqual(read(file), [{ number: 1 }]);
});

test('the summary shows what is done', () => {
  assert.deepEqual(summary([{ done: true }, { done: false }]), ['2 in all, 1 open, 1 done', '██████████░░░░░░░░░░ 50 %']);
  assert.deepEqual(summary([]), ['0 in all, 0 open, 0 done', '░░░░░░░░░░░░░░░░░░░░ 0 %']);
});
