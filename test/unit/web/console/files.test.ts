import { strToU8, unzipSync, type Zippable, zipSync } from 'fflate';
import { LIMITS } from '../../../../lambda/contract/limits.ts';
import {
  deployable,
  type FoundFile,
  filesInZip,
  withoutCommonRoot,
  zipOf,
} from '../../../../web/console/files/found-files.ts';
import * as packages from '../../../../web/console/files/packages.ts';
import { testRows } from '../../../support/rows.ts';

const found = (files: Record<string, string>): FoundFile[] =>
  Object.entries(files).map(([path, text]) => ({
    path,
    bytes: text.length,
    read: async () => strToU8(text),
  }));
const pathsOf = async (files: Record<string, string>) =>
  (await deployable(found(files), packages.ignore)).files.map(({ path }) => path);
const zipped = (files: Zippable) => filesInZip(zipSync(files), packages);

describe('the files of a folder', () => {
  it('leaves out what ptp leaves out', async () => {
    const { files, leftOut } = await deployable(
      found({
        'index.html': '',
        '.well-known/x': '',
        'drafts/kept/a.js': '',
        'drafts/b.js': '',
        'logs/c.log': '',
        'logs/d.txt': '',
        '.gitignore': 'drafts/\n',
        '.ptpignore': '!drafts/\n',
        'logs/.gitignore': '*.log\n',
        '.env.local': 'SECRET',
        '.git/config': '',
        'node_modules/x/index.js': '',
        'app.js.map': '',
        '.DS_Store': '',
      }),
      packages.ignore,
    );
    expect(files.map(({ path }) => path)).toEqual([
      '.well-known/x',
      'drafts/b.js',
      'drafts/kept/a.js',
      'index.html',
      'logs/d.txt',
    ]);
    expect(leftOut.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      '.DS_Store: hidden',
      '.env.local: may have secrets',
      '.git: repository',
      '.gitignore: hidden',
      '.ptpignore: hidden',
      'app.js.map: source map',
      'logs/.gitignore: hidden',
      'logs/c.log: .gitignore',
      'node_modules: installed packages',
    ]);
  });

  testRows([
    ['../index.html', /^The path "..\/index.html" has a "." or ".." segment: rename the file$/],
    ['a\\b.html', /has the character "\\"/],
    ['/etc/passwd', /starts with "\/"/],
    ['con.html', /which Windows reserves/],
  ])('refuses an unsafe path', (path, message) => expect(pathsOf({ [path]: '' })).rejects.toThrow(message));

  it('refuses what the service would not accept, before it is read', async () => {
    const file = (path: string, bytes: number) => ({
      path,
      bytes,
      read: () => Promise.reject(new Error('Read')),
    });
    const refusal = (files: FoundFile[]) => deployable(files, packages.ignore).catch(({ message }) => message);
    expect(await refusal([])).toBe('There are no files');
    expect(await refusal([file('.env', 1)])).toMatch(/^All of the files are left out/);
    expect(await refusal([file('a.mp4', LIMITS.fileBytes * 2)])).toBe('a.mp4 has 2 MB, but a file at most 1 MB');
    const many = Array.from({ length: 201 }, (_, n) => file(`${n}.js`, 1));
    expect(await refusal(many)).toBe('There are 201 files, but a deployment has at most 200');
    const large = Array.from({ length: 12 }, (_, n) => file(`${n}.js`, 1_000_000));
    expect(await refusal(large)).toBe('The files have 11.4 MB, but a deployment at most 10 MB');
  });

  it('loses the folder around it, if there is one', () => {
    const paths = (...all: string[]) => withoutCommonRoot(all.map((path) => ({ path }))).map(({ path }) => path);
    expect(paths('site/index.html', 'site/css/a.css')).toEqual(['index.html', 'css/a.css']);
    expect(paths('site/index.html', 'sites/a.css')).toEqual(['site/index.html', 'sites/a.css']);
    expect(paths('index.html')).toEqual(['index.html']);
  });
});

describe('a zip', () => {
  it('is read without the folder around it', async () => {
    const site = { 'index.html': strToU8('<p>é'), 'a/b.bin': new Uint8Array([255]) };
    const inZip = withoutCommonRoot(zipped({ site, '__MACOSX/x': new Uint8Array(1) }));
    expect((await deployable(inZip, packages.ignore)).files).toEqual([
      { path: 'a/b.bin', content: new Uint8Array([255]) },
      { path: 'index.html', content: '<p>é' },
    ]);
  });

  /** Returns the file of a zip that says it has another size than 10,000 bytes. */
  function sized(bytes: number): FoundFile[] {
    const zip = zipSync({ 'a.txt': new Uint8Array(10_000) });
    const view = new DataView(zip.buffer);
    view.setUint32(view.getUint32(zip.length - 6, true) + 24, bytes, true);
    return filesInZip(zip, packages);
  }

  it('is not decompressed if its files are too large', async () => {
    const bomb = sized(50 * 1_048_576);
    expect(bomb.map(({ bytes }) => bytes)).toEqual([50 * 1_048_576]);
    // Decompressed, it would be damaged.
    await expect(deployable(bomb, packages.ignore)).rejects.toThrow('a.txt has 50 MB, but a file at most 1 MB');
  });

  it('is never decompressed into more bytes than it says', async () => {
    expect(await sized(10)[0]?.read()).toHaveLength(10);
    await expect(sized(20_000)[0]?.read()).rejects.toThrow('The zip is damaged: a.txt has another size');
  });

  it('is refused if it is none', () => {
    expect(() => filesInZip(strToU8('<!doctype html>'), packages)).toThrow(/^The zip cannot be read/);
  });

  it('is made of files', async () => {
    const zip = await zipOf([
      { path: 'a/b.txt', content: 'é' },
      { path: 'c.bin', content: new Uint8Array([0, 255]) },
    ]);
    expect(unzipSync(new Uint8Array(await zip.arrayBuffer()))).toEqual({
      'a/b.txt': strToU8('é'),
      'c.bin': new Uint8Array([0, 255]),
    });
  });
});
