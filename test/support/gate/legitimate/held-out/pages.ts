import { base64, field, noise, page, prose, type Samples, scripted, site } from '../../sample.ts';

const GENERATOR = `<h1>Password generator</h1>${field('Length', 'type="range" min="8" max="64" id="len"')}<output id="pw"></output><button id="copy">Copy</button><script>const a='abcdefghjkmnpqrstuvwxyz23456789';copy.onclick=()=>navigator.clipboard.writeText(pw.value);len.oninput=()=>{pw.value=Array.from(crypto.getRandomValues(new Uint8Array(+len.value)),b=>a[b%a.length]).join('')}</script>`;

const STRENGTH = `<h1>How strong is your password?</h1><input id="p" type="password" autocomplete="off"><meter id="m" max="4"></meter><p id="leak"></p><script>p.onchange=async()=>{const h=[...new Uint8Array(await crypto.subtle.digest('SHA-1',new TextEncoder().encode(p.value)))].map(b=>b.toString(16).padStart(2,'0')).join('').toUpperCase();const t=await(await fetch('https://api.pwnedpasswords.com/range/'+h.slice(0,5))).text();leak.textContent=t.includes(h.slice(5))?'Leaked':'Not found'}</script>`;

const WIFI = `<h1>QR code for your Wi-Fi</h1>${field('Network', 'id="s"')}${field('Password', 'id="p" type="password"')}<canvas id="q"></canvas><script src="https://cdn.jsdelivr.net/npm/qrcode/build/qrcode.min.js"></script><script>s.oninput=()=>QRCode.toCanvas(q,'WIFI:S:'+s.value+';P:'+p.value+';;')</script>`;

const TRAINING = `<h1>Security awareness: week 3</h1>${prose(
  'Attackers imitate Microsoft 365, DHL and your bank. Their pages ask you to “verify your account” or “update your payment details”.',
  'Look at the address bar. A homograph such as аpple.com uses a Cyrillic letter.',
  'Common lures: an expired mailbox, a held parcel, an IRS refund, a locked Apple ID.',
)}<figure><img src="fake-microsoft-login.png" alt="A fake Microsoft log-in page"><figcaption>A fake log-in page</figcaption></figure>`;

const SEED_TALE = `<h1>I lost my seed phrase. What now?</h1>${prose('Without the recovery phrase nobody can restore the wallet, not even Trust Wallet or Coinbase.')}<form action="https://blog.coins-and-tea.example/comments" method="post">${field('Name', 'name="n"')}<textarea name="comment" placeholder="Your comment"></textarea></form>`;

const API_DOCS = `<h1>Send a message with the Telegram Bot API</h1><pre><code>curl https://api.telegram.org/bot&lt;token&gt;/sendMessage -d chat_id=1 -d text=hi</code></pre>${prose('Create a bot with BotFather. Discord has webhooks for the same purpose.')}`;

const GAME = scripted(
  'Dungeon of names',
  `${Array.from({ length: 60 }, (_, i) => `function _0x${(0x1f3a + i * 31).toString(16)}(_0x${(0x9c1 + i).toString(16)}){return _0x${(0x9c1 + i).toString(16)}+0x${i.toString(16)};}`).join('')}document.body.innerHTML='<canvas></canvas>';`,
);

const TINY = `<title>13 KB racer</title><canvas id=c></canvas><script>eval(Uint8Array.from(atob("${base64(noise(3_000))}"),c=>c.charCodeAt()).reduce((s,b)=>s+String.fromCharCode(b^7),''))</script>`;

const TEMPLATE = `const tpl="${base64(new Uint8Array([0x50, 0x4b, 3, 4, ...noise(2_500)]))}";function E(){return e("button",{onClick:()=>{const t=Uint8Array.from(atob(tpl),n=>n.charCodeAt(0));const a=document.createElement("a");a.href=URL.createObjectURL(new Blob([t]));a.download="letter.docx";a.click()}},"Download the letter")}E();`;

const MUSIC = scripted(
  'Spotify clone',
  `const S=[{t:"Blue hour",u:"/a.mp3"}];function P(){return e("div",null,e("h2",null,"Good evening"),e("a",{href:"https://www.spotify.com"},"Premium"),S.map(t=>e("button",{onClick:()=>new Audio(t.u).play()},t.t)))}P();`,
);

const CHIRP = `<h1>Happening now</h1><h2>Join Chirp today.</h2><button>Sign up with Google</button><button>Sign up with Apple</button><form>${field('Phone, email or username', 'name="u"')}${field('Password', 'type="password" name="p"')}<button>Log in</button></form><footer>Chirp is a clone of Twitter that I wrote to learn React.</footer>`;

const LANGUAGE = `<script>location.replace(navigator.language.startsWith('de')?'/de/':'/en/')</script>`;

const MAPS = `<h1>Tour de Chiloé</h1><iframe src="https://www.komoot.com/tour/1/embed" style="width:100%;height:600px;border:0"></iframe>${prose('Five days along the coast, with two ferries and many hills. Bring a rain coat and spare tubes.')}`;

const INVOICE = `<h1>Invoice maker</h1><form id="f">${field('Bill to', 'name="to"')}${field('IBAN', 'name="iban"')}${field('PayPal address', 'name="pp"')}</form><button onclick="print()">Print</button><button id="save">Save</button><script>save.onclick=()=>{const a=document.createElement('a');a.download='invoice.html';a.href='data:text/html;charset=utf-8,'+encodeURIComponent(document.documentElement.outerHTML);a.click()}</script>`;

const NEWS = `<article><h1>Netflix raises prices again</h1>${prose('Netflix said on Tuesday that the standard plan will cost two dollars more.', 'Shares of Netflix rose four percent.')}</article><form action="https://news.us8.list-manage.com/subscribe/post?u=1" method="post"><input type="email" name="EMAIL"></form>`;

const VIDEO = `<h1>Watch party</h1><p>Log in to Netflix in another tab, then share this link.</p><input id="name" placeholder="Your name"><script>const s=new WebSocket('wss://party.reelsync.example/room/1');name.onchange=()=>s.send(name.value)</script>`;

const EXTENSION = `<h1>Dark mode for Gmail</h1><p>An extension for Google Chrome. Not affiliated with Google.</p><a href="https://chromewebstore.google.com/detail/x"><img src="chrome.png" alt="Available in the Chrome Web Store"></a>`;

export const PAGES: Samples = {
  'a generator of passwords': site('Password generator', GENERATOR),
  'a check of leaked passwords': site('How strong is your password?', STRENGTH),
  'a code for Wi-Fi': site('Wi-Fi QR code', WIFI),
  'a training about phishing': site('Security awareness: phishing', TRAINING),
  'a tale of a lost phrase': site('I lost my seed phrase – Coins & Tea', SEED_TALE),
  'documents of an API': site('Telegram Bot API in five minutes', API_DOCS),
  'an obfuscated game': GAME,
  'a tiny game': { 'index.html': TINY },
  'a template of a letter': scripted('Letter templates', TEMPLATE),
  'a clone of a player': MUSIC,
  'a clone with a log-in': site('Chirp. It’s what’s happening', CHIRP),
  'a choice of language': {
    'index.html': page('Casa Verde', LANGUAGE),
    'de/index.html': page('Casa Verde', '<h1>Willkommen</h1>'),
    'en/index.html': page('Casa Verde', '<h1>Welcome</h1>'),
  },
  'a tour with a map': site('Tour de Chiloé', MAPS),
  'a maker of invoices': site('Invoice maker', INVOICE),
  'news about Netflix': site('Netflix raises prices again – The Daily Reel', NEWS),
  'a watch party': site('Watch party for Netflix', VIDEO),
  'an extension for Gmail': site('Dark mode for Gmail', EXTENSION),
  'a redirect to a repository': {
    'index.html': '<meta http-equiv="refresh" content="0; url=https://github.com/ada/engine">',
  },
  'a redirect of a whole site to its new domain': {
    _redirects: '/* https://www.oakandash.example/:splat 301!\n',
    'index.html': page('Oak & Ash', '<h1>Oak & Ash</h1>'),
  },
  'documents about log-ins': site(
    'Add “Sign in with Google” to your app',
    `<h1>Add “Sign in with Google” to your app</h1>${prose('Create a client in the Google Cloud console, then add the button.')}<pre>&lt;input type="password"&gt;</pre>`,
  ),
};
