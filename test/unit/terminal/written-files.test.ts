import {
  chmodSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { appendLine, outputPath, replaceFile, writeOutput, writePrivateFile } from '../../../terminal/written-files.ts';
import { testRows } from '../../support/rows.ts';
import { planter } from '../cli/folder/tree.ts';

const SECRET = { 'mine/secret': 'secret', 'mine/empty/': '' };

const plant = planter();
let root: string;
/** A folder of someone else, beside folders of the user. */
let cloned: string;
beforeEach(() => {
  root = plant({ ...SECRET, 'cloned/file': 'x' });
  cloned = join(root, 'cloned');
});

/** Expects that nothing was written but in the folder. */
function expectNothingOutside(): void {
  expect(readdirSync(join(root, 'mine'), { recursive: true }).toSorted()).toEqual(['empty', 'secret']);
  expect(readFileSync(join(root, 'mine/secret'), 'utf8')).toBe('secret');
  expect(readdirSync(root).toSorted()).toEqual(['cloned', 'mine']);
}

const link = (name: string, target = '../mine/secret') => symlinkSync(target, join(cloned, name));

it('replaces a link, and follows none under the names that earlier releases used', () => {
  const mode = statSync(join(root, 'mine/secret')).mode;
  for (const name of ['.ptp.json', `.ptp.json.${process.pid}`, `.ptp-${process.pid}.tmp`]) link(name);
  writePrivateFile(join(cloned, '.ptp.json'), 'new');
  replaceFile(join(cloned, 'file'), 'new');
  expectNothingOutside();
  expect(statSync(join(root, 'mine/secret')).mode).toBe(mode);
  const written = lstatSync(join(cloned, '.ptp.json'));
  expect([written.isFile(), written.mode & 0o777]).toEqual([true, 0o600]);
});

it('keeps the mode that it is given, and leaves no other file', () => {
  replaceFile(join(cloned, 'file'), 'new', 0o666);
  expect(statSync(join(cloned, 'file')).mode & 0o777).toBe(0o666);
  mkdirSync(join(cloned, 'folder'));
  expect(() => replaceFile(join(cloned, 'folder'), 'new')).toThrow('is not a regular file');
  expect(readdirSync(cloned).toSorted()).toEqual(['file', 'folder']);
});

it('adds a line to a file with its mode, and to nothing that a link names', () => {
  const ignored = join(cloned, 'file');
  chmodSync(ignored, 0o640);
  expect(appendLine(ignored, '.ptp.json')).toBe(true);
  expect(readFileSync(ignored, 'utf8')).toBe('x\n.ptp.json\n');
  expect(statSync(ignored).mode & 0o777).toBe(0o640);
  link('linked');
  link('nowhere', '../mine/new');
  expect(['linked', 'nowhere'].map((name) => appendLine(join(cloned, name), 'x'))).toEqual([false, false]);
  expectNothingOutside();
});

describe('the file that a command line names', () => {
  it('is created with its folders, and replaced only by force', () => {
    expect(writeOutput('a/b.png', cloned, Buffer.from('1'), false)).toBe(join(cloned, 'a/b.png'));
    expect(() => writeOutput('a/b.png', cloned, Buffer.from('2'), false)).toThrow('EEXIST');
    writeOutput('a/b.png', cloned, Buffer.from('3'), true);
    expect(readFileSync(join(cloned, 'a/b.png'), 'utf8')).toBe('3');
  });

  testRows([
    ['link', '../mine/secret', 'link'],
    ['link', '../mine/new', 'link'],
    ['folder', '../mine/empty', 'folder/new'],
    ['folder', '../mine/empty', './a/../folder/b/new'],
  ])('is not written through a link', (name, target, given) => {
    rmSync(join(cloned, name), { force: true });
    link(name, target);
    for (const force of [false, true])
      expect(() => writeOutput(given, cloned, Buffer.from('x'), force)).toThrow(
        /is not a regular file|through a symbolic link/,
      );
    expectNothingOutside();
  });

  it('may be anywhere without a link in a folder that is shared with the current one', () => {
    mkdirSync(join(cloned, 'app'));
    link('out', '../mine');
    link('inside', 'app');
    const app = join(cloned, 'app');
    expect(() => outputPath('../out/x', app)).toThrow('leads to');
    expect(() => outputPath(join(cloned, 'out'), app)).toThrow('leads to');
    expect(outputPath('../inside/x', app)).toBe(join(cloned, 'inside/x'));
    expect(outputPath('../../mine/new', app)).toBe(join(root, 'mine/new'));
    expect(outputPath('.', app)).toBe(app);
    writeFileSync(join(cloned, '..x'), '');
    expect(outputPath('..x', cloned)).toBe(join(cloned, '..x'));
  });
});

it('is the only module of command lines that changes files', () => {
  const changing =
    /\b(?:writeFile|appendFile|mkdir|mkdtemp|rename|chmod|chown|copyFile|cp|rm|rmdir|unlink|symlink|link|truncate|open|utimes)(?:Sync)?,|createWriteStream/;
  const found = globSync('{cli,terminal}/**/*.ts').filter((file) => {
    const imported = /import \{([^}]*)\} from 'node:fs(?:\/promises)?';/.exec(readFileSync(file, 'utf8'))?.[1];
    return imported !== undefined && changing.test(`${imported.trim()},`);
  });
  expect(found).toEqual(['terminal/written-files.ts']);
});
