import { field, page, prose, type Samples, scripted, site } from '../../sample.ts';

const CREDENTIALS = `${field('Email', 'type="email" name="email" autocomplete="username" required')}
${field('Password', 'type="password" name="password" autocomplete="current-password" required minlength="8"')}`;

const SOCIAL = `<button class="oauth"><img src="icons/google.svg" alt="Google"> Sign in with Google</button>
<button class="oauth"><img src="icons/apple.svg" alt="Apple"> Sign in with Apple</button><a class="oauth" href="/auth/github"><img src="icons/github.svg" alt="">Continue with GitHub</a>`;

const BANK = `<header><a href="/"><img src="img/harbor-logo.svg" alt="Harbor Credit Union"></a><nav><a href="/personal">Personal</a><a href="/business">Business</a></nav></header>
<main><h1>Online banking</h1><form method="post" action="/session">${field('Member number', 'name="member" inputmode="numeric"')}${field('Password', 'type="password" name="pw"')}
<a href="/forgot">Forgot your password?</a><button>Sign in</button></form><aside><h2>Protect yourself</h2><p>Harbor Credit Union never asks for your PIN, card number or password by e-mail or phone.</p></aside></main><footer>Federally insured by NCUA. Routing number 000000000.</footer>`;

const SPARBANK = `<h1>Anmeldung zum Online-Banking</h1><form method="post" action="https://banking.vr-hagenau.example/services/anmeldung">${field('VR-NetKey oder Alias', 'name="alias"')}${field('PIN', 'type="password" name="pin"')}<button>Anmelden</button></form>
<p>Warnung: Betrüger verschicken E-Mails im Namen von DHL, PayPal und der Sparkasse. Geben Sie TANs nie am Telefon weiter.</p>`;

const CHASE_OWN = `<h1>Chase Online</h1><form action="https://secure.chase.com/auth/login" method="post">${field('Username', 'name="u"')}${field('Password', 'type="password" name="p"')}<button>Sign in</button></form>`;

const SUPABASE = `const c={url:"https://xyzcompany.supabase.co",key:"eyJhbGciOiJIUzI1NiJ9.e30.x"};function L(){return e("form",{onSubmit:async t=>{t.preventDefault();await fetch(c.url+"/auth/v1/token?grant_type=password",{method:"POST",headers:{apikey:c.key},body:JSON.stringify(x(0))})}},e("h1",null,"Welcome back to Taskwave"),e("input",{type:"email",placeholder:"you@company.com"}),e("input",{type:"password",placeholder:"••••••••"}),e("button",null,"Log in"),e("button",{onClick:()=>x(1)},"Continue with Google"))}L();`;

const FIREBASE = `import{initializeApp as a}from"https://www.gstatic.com/firebasejs/10.7.1/firebase-app.js";const f={apiKey:"AIzaSyA0000000000000000000000000000000",authDomain:"recipe-box.firebaseapp.com",projectId:"recipe-box"};a(f);
document.querySelector("#root").innerHTML=\`<h1>Recipe Box</h1><form><input type="email"><input type="password"><button>Create account</button></form><button id="g">Sign up with Google</button>\`;`;

const ADMIN = `<aside class="sidebar"><a>Dashboard</a><a>Orders</a><a>Users</a></aside><div class="login-box"><h1><b>Nimbus</b>Admin</h1><p>Sign in to start your session</p><form action="dashboard.html">${CREDENTIALS}<label><input type="checkbox"> Remember me</label><button>Sign In</button></form>
<p>- OR -</p><a href="#" class="btn"><i class="fab fa-facebook"></i> Sign in using Facebook</a><a href="#" class="btn"><i class="fab fa-google-plus"></i> Sign in using Google+</a></div>`;

const SETTINGS = `<h1>Account settings</h1><section><h2>Change password</h2><form method="post" action="/account/password">${field('Current password', 'type="password" autocomplete="current-password"')}${field('New password', 'type="password" autocomplete="new-password"')}${field('Repeat', 'type="password" autocomplete="new-password"')}</form></section>
<section><h2>Connected accounts</h2><ul><li>Google <button>Connect your Google account</button></li><li>Microsoft <button>Disconnect</button></li><li>Discord <button>Connect</button></li></ul></section><section><h2>Billing</h2><p>Visa ending in 4242</p></section>`;

const TWO_FACTOR = `<h1>Two-step verification</h1><p>Enter the code from your authenticator app, such as Google Authenticator or Microsoft Authenticator.</p><form action="https://id.lanternmail.example/otp" method="post"><input name="otp" inputmode="numeric" autocomplete="one-time-code" maxlength="6" pattern="[0-9]{6}"><button>Verify</button></form>`;

const PASSKEY = `<h1>Sign in to Lumen Notes</h1><form id="f"><input name="user" autocomplete="username webauthn"><button>Use a passkey</button><details><summary>Use your password instead</summary><input type="password" autocomplete="current-password"></details></form><script>navigator.credentials.get({mediation:'conditional',publicKey:{challenge:new Uint8Array(32)}});f.onsubmit=e=>{e.preventDefault();fetch('/api/session',{method:'POST'})}</script>`;

const SCHEDULER = `<header><b>PostPilot</b></header><h1>Schedule your Instagram posts in minutes</h1><p>Connect your Instagram, Facebook and LinkedIn accounts and plan a week of posts at once.</p><div class="logos"><img src="instagram.svg" alt="Instagram"><img src="facebook.svg" alt="Facebook"><img src="linkedin.svg" alt="LinkedIn"></div>
<form action="https://app.postpilot.example/signup" method="post">${CREDENTIALS}<button>Start free trial</button></form>`;

const INTRANET = (lang: string, title: string, user: string, secret: string, go: string) =>
  site(
    title,
    `<h1>${title}</h1><form method="post" action="login">${field(user, 'name="u"')}${field(secret, 'type="password" name="p"')}<button>${go}</button></form>`,
    { lang },
  );

const KEY = `<h1>Chat with your own key</h1><p>Your OpenAI key stays in this browser.</p><input id="k" type="password" placeholder="sk-…"><textarea id="q"></textarea><button id="s">Send</button><script>s.onclick=async()=>{const r=await fetch('https://api.openai.com/v1/chat/completions',{method:'POST',headers:{Authorization:'Bearer '+k.value},body:JSON.stringify({model:'gpt-4o-mini',messages:[{role:'user',content:q.value}]})});console.log(await r.json())}</script>`;

const ISSUES = `<h1>GitHub Issues Viewer</h1><p>Paste a personal access token to raise the rate limit.</p><input id="token" type="password" placeholder="ghp_…"><input id="repo" placeholder="owner/name"><script>repo.onchange=()=>fetch('https://api.github.com/repos/'+repo.value+'/issues',{headers:{Authorization:'token '+token.value}})</script>`;

export const ACCOUNTS: Samples = {
  'a credit union': site('Harbor Credit Union | Online Banking', BANK),
  'a German bank with its own host': site('VR Bank Hagenau – Online-Banking', SPARBANK, { lang: 'de' }),
  'a bank that sends to itself': site('Chase Online - Sign in', CHASE_OWN),
  'an application with Supabase': scripted('Taskwave', SUPABASE),
  'an application with Firebase': scripted('Recipe Box', FIREBASE),
  'a dashboard to start from': site('Nimbus Admin | Log in', ADMIN),
  'settings of an account': site('Settings – Plotline', SETTINGS),
  'a second factor': site('Two-step verification – Lantern Mail', TWO_FACTOR),
  'a passkey': site('Lumen Notes', PASSKEY),
  'a scheduler of posts': site('PostPilot – plan your Instagram and LinkedIn posts', SCHEDULER),
  'log-in with accounts of others': site(
    'Sign in · Brickyard',
    `<h1>Sign in to Brickyard</h1>${SOCIAL}<form action="/login" method="post">${CREDENTIALS}<button>Sign in</button></form>`,
  ),
  'a sign-up on another host': site(
    'Create your account – Fernweh',
    `<h1>Join Fernweh</h1>${SOCIAL}<form action="https://api.fernweh.example/users" method="post">${field('Name', 'name="name"')}${CREDENTIALS}</form>${prose('By joining you accept our terms.')}`,
  ),
  'an intranet in French': INTRANET(
    'fr',
    'Connexion – Mairie de Valmont',
    'Identifiant',
    'Mot de passe',
    'Se connecter',
  ),
  'an intranet in Spanish': INTRANET('es', 'Campus virtual – Iniciar sesión', 'Usuario', 'Contraseña', 'Entrar'),
  'an intranet in Portuguese': INTRANET('pt', 'Portal do aluno', 'Matrícula', 'Senha', 'Acessar'),
  'an intranet in Polish': INTRANET('pl', 'Logowanie do dziennika', 'Login', 'Hasło', 'Zaloguj'),
  'a key of an API': site('Chat with your own key', KEY),
  'a token of GitHub': site('GitHub Issues Viewer', ISSUES),
  'a site with an account and a blog': {
    'index.html': page('Plum & Pine', '<h1>Plum & Pine</h1><a href="login.html">Log in</a>'),
    'login.html': page('Log in – Plum & Pine', `<form action="/login" method="post">${CREDENTIALS}</form>`),
    'blog/paypal-vs-stripe.html': page('PayPal vs Stripe', prose('PayPal is older. Stripe has better docs.')),
  },
};
