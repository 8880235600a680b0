import { field, page, prose, type Samples, scripted, site } from '../../sample.ts';

/** A log-in as component libraries print it, with icons, classes and a link to register. */
const card = (heading: string, body: string) =>
  `<div class="min-h-screen flex items-center justify-center bg-gray-50"><div class="max-w-md w-full space-y-8"><img class="mx-auto h-12 w-auto" src="/img/logo.svg" alt="Workflow"><h2 class="mt-6 text-3xl">${heading}</h2><form class="mt-8" action="#" method="POST"><input type="hidden" name="remember" value="true">${body}</form></div></div>`;

const BOTH = `<div class="form-floating"><input type="email" class="form-control" id="floatingInput" placeholder="name@example.com"><label for="floatingInput">Email address</label></div>
<div class="form-floating"><input type="password" class="form-control" id="floatingPassword" placeholder="Password"><label for="floatingPassword">Password</label></div><button class="btn btn-primary w-100">Sign in</button>`;

const BROKER = `<header>Castellane Gestion Privée</header><h1>Espace client</h1><form action="https://client.castellane.example/connexion" method="post">${field('Identifiant', 'name="id"')}${field('Code confidentiel', 'type="password" name="code"')}<a href="/oubli">Code oublié ?</a><button>Me connecter</button></form><p>Attention aux faux SMS qui imitent Ameli, La Poste ou votre banque.</p>`;

const CAJA = `<h1>Banca a distancia</h1><div class="tabs"><button>Particulares</button><button>Empresas</button></div><form method="post" action="/acceso">${field('NIF', 'name="nif"')}${field('Clave', 'type="password" name="clave"')}<button>Entrar</button></form><p>Teléfono para bloquear tarjetas Visa y Mastercard: 900 000 000</p>`;

const PAYPAL_OWN = `<img src="https://www.paypalobjects.com/images/shared/paypal-logo-129x32.svg" alt="PayPal"><form action="https://www.paypal.com/signin" method="post">${field('Email', 'name="login_email"')}${field('Password', 'type="password" name="login_password"')}<button>Log In</button></form>`;

const KEYCLOAK = `<div id="kc-header-wrapper">ACME</div><h1 id="kc-page-title">Sign in to your account</h1><form id="kc-form-login" action="https://sso.acme-works.example/realms/acme/login-actions/authenticate?session_code=x" method="post">${field('Username or email', 'id="username" name="username" autocomplete="username"')}${field('Password', 'id="password" name="password" type="password"')}<input type="submit" value="Sign In"></form><div id="kc-social-providers"><h2>Or sign in with</h2><ul><li><a href="https://sso.acme-works.example/broker/google/login"><span>Google</span></a></li><li><a href="https://sso.acme-works.example/broker/microsoft/login"><span>Microsoft</span></a></li></ul></div>`;

const GOOGLE_ONE_TAP = `<h1>Pantry</h1><script src="https://accounts.google.com/gsi/client" async></script><div id="g_id_onload" data-client_id="1.apps.googleusercontent.com" data-login_uri="https://pantry.example/auth"></div><div class="g_id_signin" data-type="standard"></div><p>or</p><form action="/login">${field('E-mail', 'type="email"')}${field('Password', 'type="password"')}</form>`;

const HOOKS = `const BASE="https://tracker-api.onrender.com";async function r(t,n){return(await fetch(BASE+t,{method:"POST",headers:{"Content-Type":"application/json"},body:JSON.stringify(n)})).json()}
function R(){return e("form",{onSubmit:()=>r("/api/register",{})},e("h2",null,"Create an account"),e("input",{name:"username",placeholder:"Username"}),e("input",{name:"password",type:"password",placeholder:"Password"}),e("input",{name:"confirm",type:"password",placeholder:"Confirm password"}),e("span",null,"Already have an account? Log in"))}R();`;

const VUE = `const T=\`<form @submit.prevent="login"><h1>Anmelden</h1><input v-model="mail" type="email" placeholder="E-Mail"><input v-model="pw" type="password" placeholder="Passwort"><button>Anmelden</button><button type="button" @click="oauth('google')">Mit Google anmelden</button><button type="button" @click="oauth('microsoft')">Mit Microsoft anmelden</button></form>\`;const api=t=>fetch("https://api.schichtplan.example"+t);api("/me");x(T);`;

const MQTT = `<h1>Home sensors</h1><form id="c">${field('Broker', 'name="url" value="wss://broker.hivemq.com:8884/mqtt"')}${field('User', 'name="user"')}${field('Password', 'name="pass" type="password"')}<button>Connect</button></form><script>c.onsubmit=e=>{e.preventDefault();const ws=new WebSocket(c.url.value,'mqtt');ws.onopen=()=>ws.send(new Uint8Array([16,2]))};const fallback="wss://test.mosquitto.org:8081";</script>`;

const DATABASE = `<h1>Connect to a database</h1>${field('Host', 'name="host" value="localhost"')}${field('Port', 'value="5432"')}${field('User', 'name="user"')}${field('Password', 'type="password"')}<button>Test connection</button><p>Works with PostgreSQL, MySQL, Amazon RDS and Microsoft SQL Server.</p>`;

const JIRA = `<h1>Connect your tools</h1><ul><li><img src="slack.svg" alt="Slack"> Slack</li><li><img src="dropbox.svg" alt="Dropbox"> Dropbox</li><li><img src="drive.svg" alt="Google Drive"> Google Drive</li></ul><form action="https://hub.syncly.example/connect">${field('Dropbox token', 'type="password"')}</form>`;

const JOIN_ROOM = `<h1>Join the room</h1><p>Ask your teacher for the room's password.</p>${field('Name', 'id="n"')}${field('Room password', 'id="p" type="password"')}<button id="j">Join</button><script>j.onclick=()=>{const s=new WebSocket('wss://rooms.classquiz.example/'+encodeURIComponent(p.value));s.onmessage=m=>alert(m.data)}</script>`;

const TENANT = `<h1>Mieterportal</h1><form action="https://portal.wohnbau-nord.example/login" method="post">${field('Mieternummer', 'name="nr"')}${field('Kennwort', 'type="password" name="kw"')}<button>Anmelden</button></form>${prose('Ihre Abrechnung liegt im Portal bereit.')}`;

const ROUTER = `<h1>OpenWrt LuCI</h1><form method="post">${field('Username', 'name="luci_username" value="root"')}${field('Password', 'type="password" name="luci_password"')}<button>Log in</button></form>`;

export const ACCOUNTS: Samples = {
  'a component library': site('Sign in – Workflow', card('Sign in to your account', BOTH)),
  'a template of Bootstrap': site(
    'Signin Template · Bootstrap v5.3',
    `<main class="form-signin"><img src="../assets/brand/bootstrap-logo.svg" alt=""><h1>Please sign in</h1>${BOTH}</main>`,
  ),
  'a private bank in French': site('Castellane – Espace client', BROKER, { lang: 'fr' }),
  'a savings bank in Spanish': site('Caja Rural del Ebro', CAJA, { lang: 'es' }),
  'a payment service that sends to itself': site('Log in to your PayPal account', PAYPAL_OWN),
  'a single sign-on': site('Sign in to ACME', KEYCLOAK),
  'a button by Google': site('Pantry', GOOGLE_ONE_TAP),
  'an application with its own server': scripted('Habit tracker', HOOKS),
  'a shift plan in German': scripted('Schichtplan', VUE, { lang: 'de' }),
  'a client of brokers': site('MQTT sensors', MQTT),
  'a form for a database': site('Connect – pgdesk', DATABASE),
  'tokens of other services': site('Integrations – Syncly', JIRA),
  'a room with a password': site('Classroom quiz', JOIN_ROOM),
  'a portal for tenants': site('Wohnbau Nord – Mieterportal', TENANT, { lang: 'de' }),
  'the page of a router': site('OpenWrt - LuCI', ROUTER),
  'a reset of a password': site(
    'Reset your password | Kite',
    `<h1>Reset your password</h1><p>We will send a link. Check your spam folder in Gmail or Outlook.</p><form method="post" action="https://auth.kite.example/reset"><input type="email" name="email"></form>`,
  ),
  'a course in several pages': {
    'index.html': page('Learn HTML forms', '<h1>Learn HTML forms</h1><a href="login.html">Exercise 1</a>'),
    'login.html': page('Exercise 1: a log-in form', `<h1>A log-in form</h1>${BOTH}<pre>&lt;form&gt;</pre>`),
    'facebook.html': page('Exercise 2: the layout of Facebook', '<h1>Build the news feed</h1>'),
  },
  'a landing page with a waiting list': site(
    'Ledgerly – accounting for freelancers',
    `<h1>Ledgerly</h1><p>Connects to Stripe, PayPal and your bank.</p><form action="https://getform.io/f/abc" method="post"><input type="email" name="email" placeholder="Work email"><button>Join the waiting list</button></form>`,
  ),
  'an application called Ledger': site(
    'Ledger – Log in',
    `<h1>Ledger</h1><p>Double-entry accounting for clubs.</p><form action="https://api.clubledger.example/login" method="post">${BOTH}</form>`,
  ),
};
