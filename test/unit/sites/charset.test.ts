import fc from 'fast-check';
import { Site } from '../../../lambda/sites/serving/site.ts';
import { siteTitle } from '../../../lambda/sites/start-page.ts';
import { encodeAs } from '../../support/encode.ts';
import { testRows } from '../../support/rows.ts';

const BASE = '/d/abcdefghijkl/';
const BOMS: Readonly<Record<string, number[]>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
};
const page = (head: string, title: string) => `<!doctype html><head>${head}<title>${title}</title><p>${title}`;
const marked = (charset: string, text: string) =>
  Buffer.concat([Buffer.from(BOMS[charset] ?? []), encodeAs(charset, text)]);

const serve = (path: string, files: Readonly<Record<string, Uint8Array>>) => {
  const { headers, body } = new Site(new Map(Object.entries(files)), 'index.html', BASE).serve({
    path,
    rawQuery: '',
    navigation: false,
    conditions: {},
  });
  return { type: headers['Content-Type'], body: Buffer.from(body) };
};
const titleOf = (content: Uint8Array) => siteTitle([{ path: 'index.html', content }], 'index.html');

const LATE = `<!--${'x'.repeat(5_000)}-->`;
/** A name, the bytes of a page, the charset in its Content-Type, and its title. */
const PAGES: readonly (readonly [string, Buffer, string | undefined, string | null])[] = [
  ['UTF-8', encodeAs('utf-8', page('', 'Zoë')), 'utf-8', 'Zoë'],
  ['UTF-8 with a byte order mark', marked('utf-8', page('', 'Zoë')), 'utf-8', 'Zoë'],
  ['UTF-16LE with a byte order mark', marked('utf-16le', page('', '日本')), 'utf-16le', '日本'],
  ['UTF-16BE with a byte order mark', marked('utf-16be', page('', '日本')), 'utf-16be', '日本'],
  ['ASCII', Buffer.from(page('', 'Plain')), 'utf-8', 'Plain'],
  ...(
    [
      ['ISO-8859-1', 'windows-1252', 'café'],
      ['latin1', 'windows-1252', 'café'],
      ['windows-1252', 'windows-1252', '“café” €'],
      ['windows-1251', 'windows-1251', 'Привет'],
      ['ISO-8859-2', 'iso-8859-2', 'Łódź'],
      ['KOI8-R', 'koi8-r', 'Привет'],
      ['Shift_JIS', 'shift_jis', '表示 ソ 日本'],
      ['EUC-JP', 'euc-jp', '日本'],
      ['GB2312', 'gbk', '中文网'],
      ['gb18030', 'gb18030', '中文网'],
      ['Big5', 'big5', '許功蓋'],
      ['EUC-KR', 'euc-kr', '한국'],
    ] as const
  ).flatMap(([label, charset, title]) =>
    [
      `<meta charset="${label}">`,
      `<META http-equiv='Content-Type' content='text/html; charset=${label.toLowerCase()}'>`,
      `${LATE}<meta charset=${label}>`,
    ].map((head) => [head.replace(LATE, 'late '), encodeAs(charset, page(head, title)), charset, title] as const),
  ),
  [
    'an XML declaration',
    encodeAs('shift_jis', `<?xml version="1.0" encoding="Shift_JIS"?>${page('', '日本')}`),
    'shift_jis',
    '日本',
  ],
  ['ISO-2022-JP', Buffer.from(page('<meta charset=iso-2022-jp>', '\x1b$BF|K\\\x1b(B')), 'iso-2022-jp', '日本'],
  [
    'ASCII with a declaration of another encoding',
    Buffer.from(page('<meta charset=koi8-r>', 'Plain')),
    'koi8-r',
    'Plain',
  ],
  [
    'UTF-8 with a declaration of another encoding',
    encodeAs('utf-8', page('<meta charset=iso-8859-1>', 'Zoë')),
    'utf-8',
    'Zoë',
  ],
  [
    'a declaration in a comment',
    encodeAs('windows-1252', page('<!-- <meta charset=utf-8> -->', 'Zoë')),
    undefined,
    'Zoë',
  ],
  ['no declaration', encodeAs('windows-1252', page('', 'Zoë “x”')), undefined, 'Zoë “x”'],
  ['an unknown encoding', encodeAs('windows-1252', page('<meta charset=klingon>', 'Zoë')), undefined, 'Zoë'],
  [
    'an encoding that browsers do not decode',
    encodeAs('windows-1252', page('<meta charset=hz-gb-2312>', 'Zoë')),
    undefined,
    'Zoë',
  ],
  [
    'a declaration of UTF-16, which browsers read as UTF-8',
    Buffer.from(page('<meta charset=utf-16>', 'Plain')),
    'utf-8',
    'Plain',
  ],
  [
    'invalid UTF-8',
    Buffer.concat([encodeAs('utf-8', page('<meta charset=utf-8>', 'Zoë')), Buffer.from([0xff])]),
    'utf-8',
    'Zoë',
  ],
  ['UTF-16 without a byte order mark', encodeAs('utf-16le', page('', 'Zoë')), undefined, null],
];

testRows(PAGES)(
  'serves a page unchanged, with its charset and title whatever its encoding and declaration',
  (_, bytes, charset, title) => {
    const { type, body } = serve('', { 'index.html': bytes });
    expect(type).toBe(charset === undefined ? 'text/html' : `text/html; charset=${charset}`);
    expect(body.equals(bytes)).toBe(true);
    expect(titleOf(bytes)).toBe(title);
  },
);

testRows([
  ['a.css', encodeAs('utf-8', 'a { content: "é" }'), '; charset=utf-8'],
  ['a.css', encodeAs('windows-1252', '@charset "windows-1252"; a { content: "é" }'), ''],
  ['a.js', encodeAs('shift_jis', 'alert("日本")'), ''],
  ['a.js', Buffer.from('alert("\x1b$BF|K\\\x1b(B")'), ''],
  ['a.svg', encodeAs('windows-1252', '<?xml version="1.0" encoding="ISO-8859-1"?><svg>é</svg>'), ''],
  ['a.txt', marked('utf-16le', 'é'), ''],
])('names the charset of other text only if it is UTF-8 of any other type', (path, bytes, charset) => {
  const { type, body } = serve(path, { [path]: bytes });
  expect(type?.replace(/^[^;]*/, '')).toBe(charset);
  expect(body.equals(bytes)).toBe(true);
});

const LETTERS: Readonly<Record<string, string>> = {
  'utf-8': 'aé漢😀\ufffd',
  'utf-16le': 'aé漢😀⼯',
  'utf-16be': 'aé漢😀⼯',
  'windows-1252': 'aé“€\xa0\x81',
  'windows-1251': 'aПи№',
  // From here on with characters whose second byte looks like ASCII.
  shift_jis: 'a日表ソ\uff71',
  gbk: 'a中乗俓',
  big5: 'a中功許',
  'euc-kr': 'a한각',
};
const DECLARED = (charset: string) => (charset in BOMS ? '' : `<meta charset=${charset}>`);

describe('root-absolute references', () => {
  it.each(Object.keys(LETTERS))('get the prefix in a page in %s while nothing else changes', (charset) => {
    const letters = LETTERS[charset] ?? '';
    const paths = fc.constantFrom('app.js', 'no.js', ...[...letters].map((letter) => `${letter}.js`));
    const noise = fc.array(fc.constantFrom(...letters, '<p title="', '"', ' ', '\n', '<!--', '-->'), {
      maxLength: 6,
    });
    const part = fc.tuple(noise, paths).map(([before, path]) => `${before.join('')} --><a class='' href="/${path}">\n`);
    const pages = fc.array(part, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(pages, (parts) => {
        const bytes = marked(charset, `<!doctype html>${DECLARED(charset)}${parts.join('')}`);
        const site = { 'index.html': bytes, 'app.js': bytes, [`${[...letters][1]}.js`]: bytes };
        const { body } = serve('', site);
        const [inserted, text] = [body, bytes].map((one) => new TextDecoder(charset).decode(one));
        expect(inserted?.replaceAll(BASE, '/')).toBe(text);
        const without = body.toString('latin1').replaceAll(encodeAs(charset, BASE.slice(0, -1)).toString('latin1'), '');
        expect(without).toBe(bytes.toString('latin1'));
      }),
    );
  });

  it.each(Object.entries(LETTERS))('are found in %s between any characters: %j', (charset, letters) => {
    const name = [...letters][1] ?? '';
    const html = (base: string) =>
      `<!doctype html>${DECLARED(charset)}${letters}<a title="${letters}" href="${base}app.js">${letters}</a>` +
      `<style>a { background: url(${base}app.js) }</style><img src='${base}${name}.png' alt="/app.js"><a href="/no">`;
    const files = {
      'index.html': marked(charset, html('/')),
      'app.js': Buffer.alloc(0),
      [`${name}.png`]: Buffer.alloc(0),
    };
    const { body } = serve('', files);
    expect(new TextDecoder(charset).decode(body)).toBe(html(BASE));
    expect(body.equals(marked(charset, html(BASE)))).toBe(true);
  });

  it('get the prefix in a style sheet of unknown encoding', () => {
    const css = (base: string) => `@charset "windows-1252"; a { content: "é"; background: url(${base}a.png) }`;
    const { body } = serve('a.css', {
      'a.css': encodeAs('windows-1252', css('/')),
      'a.png': Buffer.alloc(0),
    });
    expect(body.equals(encodeAs('windows-1252', css(BASE)))).toBe(true);
  });

  testRows([
    ['ISO-2022-JP', Buffer.from(page('<meta charset=iso-2022-jp>', '\x1b$BF|K\\\x1b(B<a href="/app.js">'))],
    ['half a unit of UTF-16', Buffer.concat([marked('utf-16le', '<a href="/app.js">'), Buffer.from([0x20])])],
  ])('stay unchanged in an encoding without ASCII', (_, bytes) => {
    const { body } = serve('', { 'index.html': bytes, 'app.js': Buffer.alloc(0) });
    expect(body.equals(bytes)).toBe(true);
  });
});
