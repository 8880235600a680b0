import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backUp, erase, restore } from '../src/backup.js';

class MemoryStorage {
  getItem(name) {
    return this[name] ?? null;
  }
  setItem(name, value) {
    this[name] = value;
  }
  removeItem(name) {
    delete this[name];
  }
}

const filled = () => Object.assign(new MemoryStorage(), { '/a/list': '[1]', '/a/theme': 'dark', '/b/list': '[2]' });

test('a backup brings everything back, and leaves other projects alone', () => {
  const storage = filled();
  const backup = backUp(storage, '/a/');
  storage.setItem('/a/list', '[]');
  storage.setItem('/a/new', '1');
  restore(storage, '/a/', backup);
  assert.deepEqual(storage, filled());
});

test('erasing takes only what belongs to the project', () => {
  const storage = filled();
  erase(storage, '/a/');
  assert.deepEqual(Object.keys(storage), ['/b/list']);
});

test('what is no backup changes nothing', () => {
  for (const text of ['', 'null', '[]', '["x"]', '{"list": 1}']) {
    const storage = filled();
    assert.throws(() => restore(storage, '/a/', text), SyntaxError);
    assert.deepEqual(storage, filled());
  }
});
