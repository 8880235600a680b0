const words = (...lines: readonly string[]) => lines.flatMap((line) => line.split(' '));

/** Hostile paths by the problem that they are rejected for. */
export const REJECTED: Readonly<Record<string, readonly string[]>> = {
  'is empty': [''],
  'is not well-formed Unicode': ['\ud800.html', 'a/\udc00', '\udf45\ud83c.svg'],
  'is longer than 1024 bytes': ['a'.repeat(1025), `${'é'.repeat(512)}a`, '日'.repeat(342), '../'.repeat(400)],
  'has the control character U+0000': ['\0', 'index.html\0.png', '../\0'],
  'has the control character U+000A': ['a\nb', '\n'],
  'has the control character U+000D': ['a\r\nSet-Cookie: a=b'],
  'has the control character U+001B': ['\u001b[2J.txt'],
  'has the control character U+007F': ['a\u007f'],
  'has the control character U+0085': ['a\u0085'],
  'has the control character U+2028': ['a\u2028b'],
  'has the control character U+2029': ['a\u2029b'],
  // Displayed as another name, such as "invoice-exe.html".
  'has the invisible character U+202E': ['invoice-\u202elmth.exe', '\u202e'],
  'has the invisible character U+2066': ['a\u2066b\u2069.js'],
  'has the invisible character U+200F': ['\u200fשלום.html'],
  'has the invisible character U+061C': ['a\u061c.html'],
  // Displayed as "index.html", beside the real one.
  'has the invisible character U+200B': ['index\u200b.html', '.\u200b./a'],
  'has the invisible character U+FEFF': ['\ufeffindex.html'],
  'has the invisible character U+00AD': ['in\u00addex.html'],
  'has the invisible character U+3164': ['\u3164'],
  'has the invisible character U+E0061': ['a\u{e0061}.html'],
  'is a name that JavaScript reserves': ['__proto__'],
  'starts with "/": paths are relative to the project': words('/ /etc/passwd //host/share/a /../a /./a'),
  'has the character "\\"': ['a\\b', '..\\..\\windows\\win.ini', '\\\\host\\share\\a', '\\\\?\\C\\a', 'a/..\\b'],
  'has the character ":"': words('C: c:/windows/win.ini file:///etc/passwd javascript:alert(1) index.html::$DATA'),
  'has the character "%"': words('%2e%2e%2fa ..%2fa %252e%252e%252fa ..%c0%afa a%00.html %5c 100%.html'),
  'has an empty segment': words('a//b a/ a/b// ..//a'),
  'has a "." or ".." segment': words('. .. ./a ../../../../etc/passwd a/../../b a/.. a/./b a/. .../../a'),
  'is not in Unicode normalization form NFC': ['cafe\u0301.html', '\u212a.html', '\u1112\u1161\u11ab.md'],
  'which looks like one of / . \\': words(
    'a\uff0fb \uff0e\uff0e/b a\uff3cb a\ufe68b a\u2024b \u2026 a\ufe52html \ufe30 \u2100',
    '\u2488md \u{1f100}md ..\u2215..\u2215etc src\u2044app.js a\u2216b',
  ),
  'which Windows reserves': [
    'con .txt',
    'nul ',
    ...words('con.txt PRN.html src/aux.js a/nul/b nul.tar.gz COM1 com0.js LPT9.md COM¹ lpt³.txt CONIN$ conout$.txt'),
  ],
  'has a segment that ends in a dot or a space': ['a.', 'a ', 'a./b', 'a /b', '...', '.../a', '.. /a', ' '],
  'which makes a folder a repository': [
    ...words('.git a/b/.git/hooks/post-checkout a/.gIt git~1/config a/GIT~2 .hg/hgrc HG~1/hgrc a/.svn/wc.db .jj/repo'),
    // What HFS+ ignores, as far as words and emoji need it.
    '.g\u200cit/config',
    '\u200d.git/HEAD',
    '.git\ufe0f/config',
  ],
  'as the file that makes a folder a git repository': ['HEAD', 'a/b/HEAD', 'a/hEaD', 'HE\u200cAD'],
};

/** Paths that look odd but are harmless. */
export const ACCEPTED: readonly string[] = [
  ...words(
    'src/app.js a .gitignore .github/workflows/ci.yml a.git/config git/config .git-blame-ignore-revs digit~1',
    'head/index.js HEAD/refs head.html ahead objects/a config .well-known/security.txt ..a ...a a..b/c..d',
    '~/a PROGRA~1/a.txt -rf constructor toString/valueOf lib/__proto__ a/__proto__/b 0 1.0',
    'console.js con-man.txt conin icon a.con auxiliary/nullable.ts com10 lpt',
  ),
  ' leading space.txt',
  'a b/c d.txt',
  // Valid in links when encoded; on Windows, tools replace the characters when they unpack a zip.
  'page.html?v=2',
  'a?b#c&d=e+f',
  '"<img src=x onerror=alert(1)>".html',
  'a|b*c',
  "(1) [2] {3} @ & = + $ # ! ~ ' ` ^ ; ,.js",
  'naïve café/ümläut.md',
  '日本語/索引.html',
  'שלום/עולם.html',
  'می‌خواهم.html',
  'क्‍ष.html',
  '：.html',
  '葛\u{e0100}.html',
  '👩‍👩‍👧‍👦.svg',
  '🏳️‍🌈/❤️.svg',
  // An overlong encoding of "../" as Latin-1, which is ordinary text.
  'À®À®À¯a',
  'a\u00a0b.html',
  'q\u0323\u0307.txt',
  'a'.repeat(1024),
  `${'日'.repeat(341)}a`,
  `${'d/'.repeat(511)}ab`,
];

/** Paths that are the same file on some file system: on Windows, on macOS, or on ext4 with `casefold`. */
export const COLLIDING: readonly (readonly [string, string])[] = [
  ['src/App.js', 'SRC/app.js'],
  ['été.md', 'ÉTÉ.md'],
  ['straße.md', 'STRASSE.md'],
  ['STRAẞE.md', 'strasse.md'],
  ['οδος.md', 'ΟΔΟΣ.md'],
  ['οδοσ.md', 'οδος.md'],
  ['ﬁle.txt', 'FILE.txt'],
  ['İstanbul.md', 'i\u0307stanbul.md'],
  // The second path is rejected, because it is not NFC; the keys are equal nevertheless.
  ['k.md', '\u212a.md'],
  ['É.md', 'e\u0301.md'],
];

/** Paths that are different files on every file system. */
export const DISTINCT: readonly (readonly [string, string])[] = [
  ['a/b', 'a-b'],
  ['kir.md', 'kır.md'],
  ['i.md', 'İ.md'],
  ['e.md', 'é.md'],
  ['а.md', 'a.md'],
  ['1.md', '¹.md'],
];
