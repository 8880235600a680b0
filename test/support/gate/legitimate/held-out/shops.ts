import { field, prose, type Samples, scripted, site } from '../../sample.ts';

const CHECKOUT = `<div class="row"><div class="col"><h4>Billing address</h4><form class="needs-validation" novalidate>${field('First name', 'id="firstName"')}${field('Address', 'id="address"')}<hr><h4>Payment</h4><label><input name="paymentMethod" type="radio" checked> Credit card</label><label><input name="paymentMethod" type="radio"> PayPal</label>
${field('Name on card', 'id="cc-name"')}${field('Credit card number', 'id="cc-number"')}${field('Expiration', 'id="cc-expiration"')}${field('CVV', 'id="cc-cvv"')}<button>Continue to checkout</button></form></div></div>`;

const BRAINTREE = `<h1>Pay your invoice</h1><div id="dropin"></div><script src="https://js.braintreegateway.com/web/dropin/1.40.2/js/dropin.min.js"></script><script>braintree.dropin.create({authorization:'sandbox_x',selector:'#dropin'},(e,i)=>{document.querySelector('form').onsubmit=()=>i.requestPaymentMethod((e,p)=>fetch('https://billing.studio-mw.example/pay',{method:'POST',body:p.nonce}))})</script><form><button>Pay</button></form>`;

const HOSTED = `<h1>Book a cabin</h1><form action="https://checkout.stripe.com/c/pay/cs_test_000" method="post"><input type="date" name="from"><input type="date" name="to"><button>Pay with Stripe</button></form><p>Find us on Airbnb and Booking.com too.</p><img src="airbnb.svg" alt="Airbnb"><img src="booking.svg" alt="Booking.com">`;

const VALIDATOR = `<h1>Card number checker</h1><p>Checks the Luhn digit in your browser. Nothing is sent.</p>${field('Card number', 'id="n" inputmode="numeric"')}<output id="o"></output><script>n.oninput=()=>{let s=0;[...n.value.replace(/\\D/g,'')].reverse().forEach((d,i)=>{let v=+d*(i%2?2:1);s+=v>9?v-9:v});o.value=s%10?'invalid':'valid: '+(n.value[0]==4?'Visa':'Mastercard')}</script>`;

const TRACKING = `<h1>Where is my order?</h1><form action="https://orders.feldweg.example/track">${field('Order number', 'name="o"')}${field('Postcode', 'name="p"')}<button>Track</button></form><p>We ship with DHL, UPS and FedEx. The parcel service never asks you to pay by SMS.</p><img src="dhl.svg" alt="DHL"><img src="ups.svg" alt="UPS">`;

const SUBSCRIBE = `<h1>Choose your plan</h1><div class="plans"><section><h2>Solo</h2><p>$9</p></section></div><form id="f">${field('Email', 'type="email"')}${field('Card', 'name="cardnumber" autocomplete="cc-number"')}${field('MM / YY', 'name="exp-date" autocomplete="cc-exp"')}${field('CVC', 'name="cvc" autocomplete="cc-csc"')}</form><script>const API='https://pay.draftboard.example';f.onsubmit=e=>{e.preventDefault();fetch(API+'/subscriptions',{method:'POST',body:new FormData(f)})}</script>`;

const GIFT = `<h1>Gift cards</h1><p>Choose a card: Amazon, Apple, Steam or Netflix.</p><div class="cards"><button><img src="amazon.png" alt="Amazon"></button><button><img src="steam.png" alt="Steam"></button><button><img src="netflix.png" alt="Netflix"></button></div><a href="https://buy.stripe.com/test_1">Buy</a>`;

const WEB3FORMS = `<h1>Angebot anfordern</h1><form action="https://api.web3forms.com/submit" method="POST"><input type="hidden" name="access_key" value="0000">${field('Name', 'name="name"')}${field('Telefon', 'name="tel"')}<textarea name="message"></textarea><button>Absenden</button></form>`;

const NETLIFY = `<h1>Contact</h1><form name="contact" method="POST" data-netlify="true" netlify-honeypot="bot-field"><input type="hidden" name="form-name" value="contact">${field('Name', 'name="name"')}<button>Send</button></form>`;

const GOOGLE_FORM = `<h1>RSVP</h1><form action="https://docs.google.com/forms/d/e/1FAIpQLSc/formResponse" method="post" target="hidden">${field('Name', 'name="entry.1"')}${field('Guests', 'name="entry.2"')}<button>Reply</button></form><iframe src="https://www.google.com/maps/embed?pb=1" title="Map"></iframe>`;

const EMAILJS = `<h1>Wedding photography</h1><form id="c">${field('Name', 'name="from"')}<textarea name="m"></textarea></form><script src="https://cdn.jsdelivr.net/npm/@emailjs/browser@3/dist/email.min.js"></script><script>emailjs.init('u');c.onsubmit=e=>{e.preventDefault();emailjs.sendForm('s','t',c)}</script>`;

const DISCORD = `const HOOK="https://discord.com/api/webhooks/1/abc";function F(){return e("form",{onSubmit:()=>fetch(HOOK,{method:"POST",body:x(1)})},e("h1",null,"Suggest a map"),e("input",{placeholder:"Your nickname"}),e("textarea",null),e("button",null,"Send to our Discord"))}F();`;

const CRYPTO = `<h1>Portfolio tracker</h1><p>Paste a public address. We never ask for your private key or seed phrase.</p>${field('Address', 'placeholder="0x…"')}<button id="connect">Connect MetaMask</button><script>connect.onclick=()=>window.ethereum.request({method:'eth_requestAccounts'});fetch('https://api.coingecko.com/api/v3/simple/price?ids=bitcoin')</script>`;

const PIX = `<h1>Ajude a creche</h1><p>Chave Pix: 00.000.000/0001-00. Aceitamos Nubank, Itaú, Bradesco e Caixa.</p><img src="qr.png" alt="QR code do Pix"><form action="https://doacoes.creche.example/recibo" method="post">${field('CPF para o recibo', 'name="cpf"')}${field('E-mail', 'name="email"')}</form>`;

export const SHOPS: Samples = {
  'a checkout of Bootstrap': site('Checkout example · Bootstrap', CHECKOUT),
  'a drop-in of Braintree': site('Invoice 2044 – Studio MW', BRAINTREE),
  'a hosted checkout': site('Cabins at Lake Serra', HOSTED),
  'a checker of card numbers': site('Card number checker', VALIDATOR),
  'a search for parcels': site('Track your order – Feldweg', TRACKING),
  'a subscription with a card': site('Plans – Draftboard', SUBSCRIBE),
  'gift cards': site('Gift cards', GIFT),
  'a request for an offer': site('Malermeister Krug', WEB3FORMS, { lang: 'de' }),
  'a contact form of a host': site('Contact – Juno Studio', NETLIFY),
  'replies in a form of Google': site('Ana & Tom – RSVP', GOOGLE_FORM),
  'mail by a script': site('Lena Photography', EMAILJS),
  'suggestions to Discord': scripted('Map ideas', DISCORD),
  'a tracker of coins': site('Portfolio tracker', CRYPTO),
  'donations in Brazil': site('Creche Sol', PIX, { lang: 'pt' }),
  'a table of banks': site(
    'Girokonten im Vergleich',
    `<h1>Girokonten im Vergleich</h1><table><tr><td><img src="ing.svg" alt="ING"></td><td>ING</td></tr><tr><td><img src="n26.svg" alt="N26"></td><td>N26</td></tr><tr><td>Commerzbank</td></tr></table>${prose('Stand: Mai 2026')}<form action="https://newsletter.kontocheck.example/abo"><input type="email"></form>`,
    { lang: 'de' },
  ),
};
