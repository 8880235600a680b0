import { execFile } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { linkCached } from '../../../local/synthesis-cache.ts';
import { emptyFolder } from '../../support/at-end.ts';

const folder = emptyFolder();
const cache = join(folder, 'cache');
const target = join(folder, 'target');
/** The keys that were made, and that were waited for. */
let made: string[];
let waited: string[];

beforeEach(() => {
  made = [];
  waited = [];
});

async function copy(key: string, to = target): Promise<void> {
  await linkCached(key, to, {
    folder: cache,
    async make(content) {
      made.push(key);
      mkdirSync(join(content, 'asset'), { recursive: true });
      writeFileSync(join(content, 'asset', 'index.mjs'), `code of ${key}`);
      writeFileSync(join(content, 'manifest.json'), '{}');
    },
    onWait: () => waited.push(key),
  });
}

const code = (of = target) => readFileSync(join(of, 'asset', 'index.mjs'), 'utf8');
const inEntry = (path: string) => join(cache, 'a', path);

it.each<[string, () => void]>([
  ['a changed file', () => appendFileSync(inEntry('content/asset/index.mjs'), ' ')],
  ['a truncated file', () => writeFileSync(inEntry('content/asset/index.mjs'), '')],
  ['a file too many', () => writeFileSync(inEntry('content/new'), '')],
  ['no content', () => rmSync(inEntry('content'), { recursive: true })],
  ['a wrong list', () => writeFileSync(inEntry('files.json'), 'wrong')],
])('makes an entry again that has %s', async (_, damage) => {
  await copy('a');
  damage();
  await copy('a');
  expect(code()).toBe('code of a');
  expect(existsSync(join(target, 'new'))).toBe(false);
  await copy('a');
  expect(made).toEqual(['a', 'a']);
});

it('keeps nothing of an entry that could not be made, or whose process died', async () => {
  const failing = linkCached('a', target, {
    folder: cache,
    async make(content) {
      mkdirSync(content);
      throw new Error('failed');
    },
    onWait: () => {},
  });
  await expect(failing).rejects.toThrow('failed');
  await copy('b');
  await copy('a');
  expect(code()).toBe('code of a');
  expect(readdirSync(cache).toSorted()).toEqual(['a', 'b', 'cache.lock']);
});

it('keeps the six entries that were used last', async () => {
  const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const key of keys) await copy(key);
  // Entries that were used in the same millisecond have no order.
  for (const [age, key] of keys.toReversed().entries()) {
    const usedAt = new Date(Date.now() - (age + 1) * 3_600_000);
    utimesSync(join(cache, key), usedAt, usedAt);
  }
  for (const key of ['a', 'g', 'h']) await copy(key);
  expect(readdirSync(cache).toSorted()).toEqual(['a', 'cache.lock', 'd', 'e', 'f', 'g', 'h']);
});

it('lets one make an entry and the others wait', async () => {
  const targets = ['one', 'two', 'three'].map((name) => join(folder, name));
  await Promise.all(targets.map((path) => copy('a', path)));
  expect(targets.map(code)).toEqual(['code of a', 'code of a', 'code of a']);
  expect(made).toEqual(['a']);
  expect(waited).toEqual(['a', 'a']);
});

it('lets one process make an entry and the others wait', async () => {
  const log = join(folder, 'log');
  const script = `
    const { linkCached } = await import(${JSON.stringify(new URL('../../../local/synthesis-cache.ts', import.meta.url))});
    const { appendFileSync, mkdirSync, writeFileSync } = await import('node:fs');
    const [cache, target, log] = process.argv.slice(1);
    await linkCached('a', target, {
      folder: cache,
      async make(content) {
        appendFileSync(log, 'made ');
        mkdirSync(content);
        await new Promise((resolve) => setTimeout(resolve, 300));
        writeFileSync(content + '/manifest.json', '{}');
      },
      onWait() {},
    });`;
  const start = (name: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script, cache, join(folder, name), log]);
  await Promise.all(['one', 'two', 'three'].map(start));
  for (const name of ['one', 'two', 'three'])
    expect(readFileSync(join(folder, name, 'manifest.json'), 'utf8')).toBe('{}');
  expect(readFileSync(log, 'utf8')).toBe('made ');
});
