import fc from 'fast-check';
import { DomUtils, parseDocument } from 'htmlparser2';
import { rewriteReferences } from '../../../lambda/sites/references/html.ts';
import { linearTime, repeated } from '../../support/linear-time.ts';
import { testRows } from '../../support/rows.ts';
import { runs } from '../../support/soak.ts';
import { anyCharacter } from '../../support/unicode.ts';

const PREFIX = '/d/k3v9';
const FILES = new Set([
  '',
  'about',
  'app.js',
  'a.png',
  'b.png',
  'a,b.png',
  'a&b.html',
  'my file.png',
  'café.png',
  'css/style.css',
]);

function rewrite(kind: 'html' | 'css', text: string, exists = (path: string) => FILES.has(path)): string {
  return rewriteReferences(kind, text, `${PREFIX}/`, exists);
}

/** Checks a rewrite: `^` marks where the prefix is expected; a text without one must stay unchanged. */
function check(kind: 'html' | 'css', marked: string): void {
  expect(rewrite(kind, marked.replaceAll('^', ''))).toBe(marked.replaceAll('^', PREFIX));
}

describe('rewrites only root-absolute URLs of the site', () => {
  testRows([
    ['a file', '^/app.js'],
    ['the root', '^/'],
    ['the root with a fragment', '^/#top'],
    ['a path that the site resolves', '^/about'],
    ['query and fragment', '^/app.js?v=1#x'],
    ['percent-encoding', '^/my%20file.png'],
    ['UTF-8, not encoded', '^/café.png'],
    ['spaces around', ' \n^/app.js \t'],
    ['a file that does not exist', '/missing.js'],
    ['relative', 'app.js'],
    ['relative with a dot', './app.js'],
    ['another scheme', 'data:,/app.js'],
    ['already below the base', `${PREFIX}/app.js`],
  ])('in every spelling', (_, url) => check('html', `<a href="${url}">`));

  testRows([
    ['malformed UTF-8', '/%E9.png'],
    ['malformed encoding', '/app.js%'],
    ['another host', '//app.js'],
    ['another host, after a space', ' //a.png'],
    ['another host by a backslash', '/\\app.js'],
    ['another host by a tab', '/\t/app.js'],
    ['a backslash for the slash', '\\app.js'],
    ['a newline inside', '/app\n.js'],
  ])('never a URL of another origin', (_, url) => {
    const html = `<a href="${url}">`;
    expect(rewrite('html', html, () => true)).toBe(html);
  });

  testRows([true, false])('below the base, only if the site has that file', (has) => {
    const html = `<a href="${PREFIX}/app.js">`;
    const exists = (path: string) => has && path === 'd/k3v9/app.js';
    expect(rewrite('html', html, exists)).toBe(has ? `<a href="${PREFIX}${PREFIX}/app.js">` : html);
  });
});

describe('rewrites attributes', () => {
  testRows([
    '<script src="^/app.js"></script>',
    '<base href="^/"><a href="about">',
    '<video poster="^/a.png" src="^/b.png"></video>',
    '<object data="^/a.png"></object><p data="/a.png">',
    '<form action="^/about"><button formaction="^/about">',
    '<body background="^/a.png"><q cite="^/about">',
    '<svg><use href="^/a.png#x"/><image xlink:href="^/a.png"/></svg>',
    '<img/src="^/a.png"/>',
    '<a href="^&#x2F;app.js">',
    '<a href="&#10;&#47;app.js"><a href="^/about">',
  ])('that contain a URL', (html) => check('html', html));

  testRows([
    '<!-- <img src="/a.png"> -->',
    '<!-- <img src="/a.png">',
    '<script>"<img src=/a.png>"</script>',
    '<script type=module>import "/app.js"</script>',
    '<textarea><img src="/a.png"></textarea>',
    '<title><img src="/a.png"></title>',
    '<!doctype html "/a.png"><p>/a.png src="/a.png"</p></p src="/a.png">',
    '<style><img src="/a.png"></style>',
    '<img src="/a.png',
  ])('not in comments, scripts and other raw text', (html) => check('html', html));

  testRows([
    ['https://example.com/', ''],
    ['//example.com', ''],
  ])('unless a base element leads elsewhere', (base, mark) =>
    check('html', `<base href="${base === '/' ? '^/' : base}"><base href="//x"><img src="${mark}/a.png">`),
  );
});

testRows([
  '^/a.png 1x, ^/b.png 2x',
  '^/a.png,',
  '^/a.png, ^/b.png',
  ' , ,^/a.png 100w\n,\n^/b.png 200w',
  '^/a,b.png 1x',
  '/a.png,/b.png 1x',
  'data:image/png;base64,/a.png 1x, ^/b.png 2x',
  '^/a.png calc(1x, /b.png 2x), ^/b.png',
])('rewrites srcset as browsers split it', (srcset) => {
  check('html', `<img srcset="${srcset}"><link imagesrcset='${srcset}'>`);
});

testRows([
  ['og:image', '<meta property="og:image" content="^/a.png">'],
  ['twitter:image', '<meta name="twitter:image" content="^/a.png">'],
  ['twitter:image:src', '<meta name="twitter:image:src" content="^/a.png">'],
  [
    'og:image:url and og:image:secure_url',
    '<meta property="og:image:url" content=^/a.png><meta property="og:image:secure_url" content="^/b.png">',
  ],
  ['og:url', '<meta property="og:url" content="^/about">'],
  [
    'og:video and og:audio',
    '<meta property="og:video" content="^/a.png"><meta property="og:audio:url" content="^/a.png">',
  ],
  ['the tile of Windows', '<meta name="msapplication-TileImage" content="^/a.png">'],
  ['the canonical page', '<link rel="canonical" href="^/about">'],
  ['no meta', '<p property="og:image" content="/a.png">'],
])('rewrites the URLs that a page names for previews and no other meta element', (_, html) => check('html', html));

testRows([
  '0; url=^/about',
  '0;URL = "^/about"',
  "0,url='^/about'/a.png",
  ' 1.5 ^/about',
  '.5;^/about',
  '0; url=/missing',
  'url=/about',
  '0x; url=/about',
])('rewrites meta refresh in every spelling', (content) => {
  const quoted = content.replaceAll('"', '&quot;');
  check('html', `<meta http-equiv="refresh" content="${quoted}">`);
  check('html', `<META content="${quoted}" http-equiv=Refresh>`);
  check('html', `<meta name="refresh" content="${quoted.replace('^', '')}">`);
});

testRows([
  '{"imports": {"app": "^/app.js", "/app.js" : "^/app.js", "m": "/missing.js"}}',
  '{"scopes": {"/about": {"x": "^\\/app.js"}}}',
  '{"imports": {"x": "^\\u002fapp.js", "y": " /app.js", "z": "\\"/app.js", "q": "\\\\"}}',
  '{"imports": {"app": "/app.js"',
])('rewrites import maps and no other script', (json) => {
  check('html', `<script type="importmap">${json}</script>`);
  check('html', `<SCRIPT TYPE=" ImportMap ">${json}</SCRIPT>`);
  check('html', `<script type="application/json">${json.replaceAll('^', '')}</script>`);
});

const STYLES = [
  'a { background: url(^/a.png) }',
  'a { background: url("^/a.png") }',
  "a { background: URL( '^/a.png' ) no-repeat, url(\n^/b.png\t) }",
  'a{b:url(^/a.png)url(^/a.png?x#y)}',
  'a { b: url(//a.png) url(a.png) url(/missing.png) url() }',
  '@font-face { src: url(^/a.png) format("/a.png") }',
  '@import "^/css/style.css" screen; @import url(^/css/style.css); @IMPORT/**/\'^/css/style.css\';',
  '@import; "/a.png" @imports "/a.png" #import "/a.png"',
  'a { b: image-set("^/a.png" 1x, "^/b.png" type("/a.png"), url(^/a.png) 3x) } c { d: "/a.png" }',
  'a { b: -webkit-image-set("^/a.png" 1x, url(^/b.png) 2x) }',
  'a { b: image-set(calc([) "/a.png" ]) "^/a.png") }',
  '/* url(/a.png) */ a { content: "url(/a.png)" } /* @import "/a.png"',
  'a { content: "\\"url(/a.png)"; b: url(^/a.png) }',
  'a { content: "x\\\n url(/a.png)"; content: "x\\\r\n url(/a.png)" }',
  'a { content: "unclosed\n; b: url(^/a.png) }',
  'a { b: my-url(/a.png) curl(/a.png) 1url(/a.png) #url(/a.png) @url(/a.png) u\\rl(/a.png) \\75rl(/a.png) }',
  "a { b: url(/a.png /b.png) url(^/a.png) url(/a'.png) url(/a(.png) url(/a\\.png) url(/\\)url(/a.png)) }",
  'a { b: url(/* x */"/a.png") url("\\2f a.png") url("/a\\.png") url("/a.png\n) }',
  ".bg-\\[url\\(\\'\\/a\\.png\\'\\)\\] { b: url(^/a.png) } .\\\" { b: url(^/b.png) }",
  'a { --b: url(^/a.png); --c: "/a.png" }',
  'a { b: url(^/a.png',
  'a { b: url("^/a.png',
  'a { b: url("/a.png\\',
];

describe('rewrites CSS', () => {
  testRows(STYLES)('in a file', (css) => check('css', css));

  testRows(STYLES)('in a style element', (css) => {
    check('html', `<style>${css}</style><a href=^/about>`);
    check('html', `<STYLE media=all>${css}`);
  });

  testRows(STYLES)('in a style attribute', (css) => {
    check('html', `<p style="${css.replaceAll('"', '&quot;')}"><a href=^/about>`);
  });

  test('in an SVG, where a style element contains markup', () => {
    check('html', '<svg><style>a{b:url(^/a.png)}<!-- url(/a.png) --> c{d:url(^/b.png)}</style></svg>');
    check('html', '<svg><style><![CDATA[a > b { c: url(^/a.png) }]]></style></svg>');
    check('html', '<svg><style><![CDATA[a{b:url(^/a.png]]></style></svg>');
    check('html', '<svg><style>a{b:url(&#47;a.png) url(^/b.png)}</style></svg>');
    check('html', '<svg><style>a{content:&quot;url(/a.png)&quot;}</style><title><b>x</b></title></svg>');
  });

  test('in an SVG that contains HTML', () => {
    const raw = '<textarea><img src="/a.png"></textarea>';
    check('html', `<svg><foreignObject>${raw}</foreignObject><a href="^/about"/></svg>${raw}`);
    check('html', `<svg><path><div>${raw}</div><svg><title>x</svg><title>y</title>${raw}`);
    check('html', `<svg/>${raw}<svg><desc/><title><b></b></title></svg>${raw}`);
  });
});

/** Pieces of markup and CSS, without a slash that could start a URL. */
const MARKUP = `< > =" " ' \` & &quot; &amp; &Aopf; <!-- --> <![CDATA[ ]]> <style> </style> <script> </script> <svg> </svg>`;
const OTHERS =
  '<title> </title> <textarea> <template> "} url( url(" ) image-set( { } [ , 1x ; : \\ * //host a.png data:, #x ?y';
const SPACED = ['<a href=', '<img srcset="', '<p style="', '<base href="', '@import "', ' ', '\n', '\0', 'é', '😀'];
const OPEN = ['<script type=importmap>{"a":"', '<meta http-equiv=refresh content="0;'];
const NOISE = [...`${MARKUP} ${OTHERS}`.split(' '), ...SPACED, ...OPEN];
const REFERENCES = ['/a.png', '/', '/missing', '&#47;a.png', '&sol;', '/*', '*/', '/>', '%2f', `${PREFIX}/`];
const noise = (pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));
const kinds = fc.constantFrom('html' as const, 'css' as const);

/** Parses a page into its elements with their attributes, and its texts. */
function parsed(html: string): unknown[] {
  return DomUtils.filter(() => true, parseDocument(html).children).map((node) => {
    if ('attribs' in node) return [node.name, { ...node.attribs }];
    return 'data' in node ? node.data : node.type;
  });
}

describe('any text', () => {
  test('without root-absolute references is returned unchanged', () => {
    const property = fc.property(kinds, noise(NOISE), (kind, text) => {
      expect(rewrite(kind, text, () => true)).toBe(text);
    });
    fc.assert(property, { numRuns: runs(2000) });
  });

  test('changes only by prefixes', () => {
    const texts = fc.oneof(noise([...NOISE, ...REFERENCES]), fc.string({ unit: anyCharacter, maxLength: 200 }));
    const property = fc.property(kinds, texts, (kind, text) => {
      const rewritten = rewrite(kind, text, () => true);
      expect(rewritten.replaceAll(PREFIX, '')).toBe(text.replaceAll(PREFIX, ''));
    });
    fc.assert(property, { numRuns: runs(5000) });
  });

  test('parses into the same page except for the prefixes', () => {
    const property = fc.property(noise([...NOISE, ...REFERENCES]), (html) => {
      const without = (text: string) => JSON.stringify(parsed(text)).replaceAll(PREFIX, '');
      expect(without(rewrite('html', html, () => true))).toBe(without(html));
    });
    fc.assert(property, { numRuns: runs(2000) });
  });
});

describe('a whole page', () => {
  const path = fc.constantFrom(
    '/a.png',
    '/css/style.css?v=1',
    '/',
    '/my%20file.png#x',
    '/missing',
    '//h/a.png',
    'a.png',
  );
  const known = (url: string) => !/^\/(?:missing|\/)|^[^/]/.test(url);
  const marked = path.map((url) => (known(url) ? `^${url}` : url));
  const part = fc.oneof(
    marked.map((url) => `<a class="x" href="${url}">text</a>`),
    marked.map((url) => `<img src=${url} alt='/a.png'>\n`),
    fc.tuple(marked, marked).map(([one, two]) => `<img srcset="${one} 1x, ${two} 2x">`),
    marked.map((url) => `<p style="color: red; background: url(&quot;${url}&quot;)">`),
    marked.map((url) => `<style>a > b { c: url(${url}) } /* url(/a.png) */</style>`),
    marked.map((url) => `<script type="importmap">{ "imports": { "/a.png": "${url}" } }</script>`),
    path.map((url) => `<!-- <a href="${url}"> --><script>go("${url}")</script>`),
    path.map((url) => `<textarea><a href="${url}"></textarea>${url} &amp; ${url}`),
  );
  const pages = fc.array(part).map((parts) => `<!DOCTYPE html>\r\n${parts.join('')}`);

  test('gets the prefix in exactly its known references', () => {
    fc.assert(fc.property(pages, (page) => check('html', page)));
  });
});

describe('rewrites hostile text in linear time', () => {
  test.each([
    '<',
    '<b>',
    '<b></x>',
    '<form><b>',
    '<svg>',
    '<!--',
    '<style>',
    '&Aopf;',
    '<a b c d ',
    'srcset=",,,,"',
    '<img srcset=",,,,">',
    '<p style="a:url(&quot;/x&quot;)">',
    '<script type=importmap>',
    '<a href=/x>',
  ])('%s', (piece) => quick('html', repeated(piece)));

  testRows([
    ['<a href="', ' ', '/x">'],
    ['<a href="/x', ' ', 'x">'],
    ['<a href="/', '&amp;', '">'],
    ['<img srcset="', ',', '">'],
    ['<img srcset="/a ', '(', '">'],
    ['<meta http-equiv=refresh content="0', ' ', 'x">'],
    ['<p style="', 'a:url(&quot;/a&quot;);', '">'],
    ['<script type=importmap>["', '\\"', '"]</script>'],
    ['<script type=importmap>', '[', '</script>'],
  ])('in HTML, around a start and an end', (start, piece, end) => quick('html', start + repeated(piece) + end));

  testRows(['url(', 'url("', 'url(/', 'url(\\', '"', '/*', '(', '{)', '\\', '\\a', '@import ', 'image-set(', '"\\"'])(
    'in CSS',
    (piece) => quick('css', repeated(piece)),
  );

  const inLinearTime = linearTime(() => rewrite('html', repeated('<p class="a">Some text</p>\n')));
  function quick(kind: 'html' | 'css', text: string): void {
    inLinearTime(() => expect(rewrite(kind, text, () => true).length).toBeGreaterThanOrEqual(text.length));
  }
});
