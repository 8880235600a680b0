import { gzipSync } from 'node:zlib';
import { ArchiveError, unpack } from '../../../../lambda/builds/packages/archive.ts';
import { paxRecord, type TarEntry, tar } from '../../../support/registry/tar.ts';
import { testRows } from '../../../support/rows.ts';

const MB = 1_048_576;
const bytes = (text: string) => Buffer.from(text);
const file = (path: string, text = 'x'): TarEntry => ({ path, bytes: bytes(text) });
const long = `${'folder/'.repeat(20)}a.js`;

async function pathsOf(...entries: TarEntry[]): Promise<string[]> {
  return [...(await unpack(gzipSync(tar(entries)), MB)).files.keys()];
}

testRows<[string, TarEntry[], string[]]>([
  ['the first folder has any name', [file('package/a.js'), file('react-dom/b/c.js')], ['a.js', 'b/c.js']],
  ['a path over 100 bytes', [file(`package/${long}`)], [long]],
  [
    'a long name of GNU',
    [{ path: '././@LongLink', type: 'L', bytes: bytes(`package/${long}\0`) }, file('package/x')],
    [long],
  ],
  [
    'a pax path is of the next file only',
    [{ path: 'h', type: 'x', bytes: paxRecord('path', 'package/é.js') }, file('p/a.js'), file('p/b.js')],
    ['é.js', 'b.js'],
  ],
  [
    'global pax headers are ignored',
    [{ path: 'h', type: 'g', bytes: paxRecord('path', 'package/g.js') }, file('p/a.js')],
    ['a.js'],
  ],
  [
    'folders and dots',
    [{ path: 'package/lib/', type: '5', bytes: bytes('') }, file('./package/./lib//a.js')],
    ['lib/a.js'],
  ],
  [
    'paths outside',
    [file('package/../../etc/passwd'), file('../x/a.js'), file('/etc/passwd'), file('package/a/../../b'), file('a.js')],
    ['passwd'],
  ],
  ['other separators', [file('package/..\\..\\a.js'), file('package/C:\\a')], []],
  [
    'links and devices',
    [
      { path: 'package/a', type: '1', bytes: bytes(''), linkTarget: '/etc/passwd' },
      { path: 'package/b', type: '2', bytes: bytes(''), linkTarget: '../../x' },
      { path: 'package/c', type: '3', bytes: bytes('') },
      { path: 'package/d', type: '6', bytes: bytes('') },
    ],
    [],
  ],
  ['bundled packages', [file('package/node_modules/react/index.js'), file('package/a.js')], ['a.js']],
  [
    'names of objects',
    [file('package/__proto__'), file('package/constructor/prototype.js')],
    ['__proto__', 'constructor/prototype.js'],
  ],
  [
    'types, maps, documents and tests',
    [
      ...[
        'index.d.ts',
        'a.d.mts',
        'index.js.map',
        'README.md',
        'LICENSE',
        'docs/a.js',
        'test/a.js',
        'src/__tests__/a.js',
      ].map((path) => file(`package/${path}`)),
      ...['a.ts', 'lib/test/a.js', 'examples/jsm/a.js', 'license.js', 'styles.css', 'package.json'].map((path) =>
        file(`package/${path}`),
      ),
    ],
    ['a.ts', 'lib/test/a.js', 'examples/jsm/a.js', 'license.js', 'styles.css', 'package.json'],
  ],
])('unpacks the files of a package', async (_name, entries, expected) => {
  expect(await pathsOf(...entries)).toEqual(expected);
});

test('the last of two files with a path counts, and contents are exact', async () => {
  const archive = gzipSync(tar([file('package/a', 'one'), file('package/a', 'zwölf'), file('package/empty', '')]));
  const { files } = await unpack(archive, MB);
  expect([...files].map(([path, content]) => [path, Buffer.from(content).toString()])).toEqual([
    ['a', 'zwölf'],
    ['empty', ''],
  ]);
});

const valid = tar([file('package/a.js', 'some text')]);
function changed(offset: number, text: string): Buffer {
  const copy = Buffer.from(valid);
  copy.write(text, offset);
  return gzipSync(copy);
}

testRows<[string, Uint8Array, ArchiveError['reason']]>([
  ['no gzip', bytes('text'), 'damaged'],
  ['nothing', bytes(''), 'damaged'],
  ['cut off', gzipSync(valid).subarray(0, 40), 'damaged'],
  ['a file longer than the archive', changed(124, '00077777777'), 'damaged'],
  ['a negative size', changed(124, '-0000000001'), 'damaged'],
  ['a size in base 256', changed(124, '\u0080'), 'damaged'],
  ['a pax record without a length', gzipSync(tar([{ path: 'h', type: 'x', bytes: bytes('path=a') }])), 'damaged'],
  ['a pax record of length 0', gzipSync(tar([{ path: 'h', type: 'x', bytes: bytes('0 path=a\n') }])), 'damaged'],
  [
    'too many files',
    gzipSync(Buffer.alloc(50_001 * 512, tar([file('p/a', '')]).subarray(0, 512)), { level: 1 }),
    'too large',
  ],
])('rejects damaged and too large archives', async (_name, archive, reason) => {
  await expect(unpack(archive, 26 * MB)).rejects.toThrow(new ArchiveError(reason));
});

test('unpacks no bomb', async () => {
  const bomb = gzipSync(Buffer.alloc(3 * MB), { level: 1 });
  await expect(unpack(bomb, 2 * MB)).rejects.toThrow(new ArchiveError('too large'));
});
