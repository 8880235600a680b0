import { field, page, prose, type Samples, scripted, site } from '../../sample.ts';

const BADGES = `<footer><img src="pay/visa.svg" alt="Visa"><img src="pay/mastercard.svg" alt="Mastercard"><img src="pay/paypal.svg" alt="PayPal"><img src="pay/applepay.svg" alt="Apple Pay"><img src="pay/amex.svg" alt="American Express"></footer>`;

const STRIPE = `<h1>Checkout</h1><form id="payment-form"><div id="payment-element"></div><button>Pay $32.00</button></form>${BADGES}<script src="https://js.stripe.com/v3/"></script>
<script>const stripe=Stripe('pk_test_000000');const el=stripe.elements({mode:'payment',amount:3200,currency:'usd'});el.create('payment').mount('#payment-element');document.getElementById('payment-form').addEventListener('submit',async e=>{e.preventDefault();await stripe.confirmPayment({elements:el,confirmParams:{return_url:location.origin+'/thanks.html'}})})</script>`;

const CARD = `<h1>Payment</h1><form method="post" action="https://api.northloom.example/orders" autocomplete="on">${field('Name on card', 'autocomplete="cc-name"')}${field('Card number', 'autocomplete="cc-number" inputmode="numeric"')}${field('Expiry', 'autocomplete="cc-exp"')}${field('CVC', 'autocomplete="cc-csc" maxlength="4"')}<button>Place order</button></form>`;

const PAYPAL_CLASSIC = `<h1>Support the animal shelter</h1><form action="https://www.paypal.com/donate" method="post" target="_top"><input type="hidden" name="hosted_button_id" value="ABC123"><input type="image" src="https://www.paypalobjects.com/en_US/i/btn/btn_donateCC_LG.gif" alt="Donate with PayPal button"></form>${prose('Every euro feeds a cat for two days.')}`;

const PAYPAL_SDK = `<h1>Your cart</h1><ul><li>Mug × 2: 24 €</li></ul><div id="paypal-button-container"></div><script src="https://www.paypal.com/sdk/js?client-id=test&currency=EUR"></script><script>paypal.Buttons({createOrder:(d,a)=>a.order.create({purchase_units:[{amount:{value:'24.00'}}]})}).render('#paypal-button-container')</script>${BADGES}`;

const FORMSPREE = `<h1>Order sourdough for Saturday</h1><form action="https://formspree.io/f/mqkrabcd" method="POST">${field('Name', 'name="name"')}${field('Email', 'type="email" name="email"')}${field('Loaves', 'type="number" name="loaves"')}<textarea name="note"></textarea><button>Order</button></form><p>Pay at pick-up in cash or with PayPal.</p>`;

const MAILCHIMP = `<h1>Field Notes, a monthly letter</h1><div id="mc_embed_signup"><form action="https://fieldnotes.us21.list-manage.com/subscribe/post?u=abc&amp;id=def" method="post" id="mc-embedded-subscribe-form" target="_blank" novalidate><input type="email" name="EMAIL" id="mce-EMAIL" required><div aria-hidden="true" style="position:absolute;left:-5000px"><input type="text" name="b_abc_def" tabindex="-1"></div><input type="submit" value="Subscribe"></form></div>`;

const ACCOUNT_CHECKOUT = `<h1>Checkout</h1><form action="https://shop.lindenhof.example/checkout" method="post"><fieldset><legend>Account</legend>${field('E-Mail', 'type="email"')}${field('Passwort', 'type="password" autocomplete="new-password"')}</fieldset><fieldset><legend>Kreditkarte</legend>${field('Kartennummer', 'autocomplete="cc-number"')}${field('Gültig bis', 'autocomplete="cc-exp"')}${field('Prüfnummer', 'autocomplete="cc-csc"')}</fieldset></form>${BADGES}`;

const TELEGRAM = `<h1>Доставка суши</h1><form id="o">${field('Имя', 'name="name"')}${field('Телефон', 'name="phone" type="tel"')}${field('Адрес', 'name="address"')}<button>Заказать</button></form><script>const TOKEN='7100000000:AAH0000000000000000000000000000000z',CHAT='-100555';o.onsubmit=e=>{e.preventDefault();const d=new FormData(o);fetch(\`https://api.telegram.org/bot\${TOKEN}/sendMessage\`,{method:'POST',body:JSON.stringify({chat_id:CHAT,text:[...d.values()].join('\\n')})})}</script>`;

const CART = `const P=[{id:1,n:"Oak chair",p:129},{id:2,n:"Walnut table",p:640}];function S(){return e("main",null,e("h1",null,"Grain & Joint"),P.map(t=>e("article",{key:t.id},e("h2",null,t.n),e("button",{onClick:()=>fetch("https://api.grainjoint.example/cart",{method:"POST",body:JSON.stringify(t)})},"Add to cart"))),e("footer",null,"We accept Visa, Mastercard, PayPal and Klarna."))}S();`;

const DONATION = `<h1>Spenden</h1><p>Per Überweisung an die GLS Bank, per PayPal oder per Lastschrift:</p><form action="https://formular.foodsave.example/sepa" method="post">${field('IBAN', 'name="iban"')}${field('Betrag', 'type="number"')}<button>Spenden</button></form>`;

const PRICES = `<h1>Streaming prices compared</h1><table><tr><th>Service</th><th>Price</th></tr><tr><td><img src="n.png" alt="Netflix"> Netflix</td><td>$17.99</td></tr><tr><td><img src="d.png" alt="Disney+"> Disney+</td><td>$15.99</td></tr><tr><td>Spotify</td><td>$11.99</td></tr></table><form action="https://buttondown.email/api/emails/embed-subscribe/prices" method="post"><input type="email" name="email"><button>Tell me when prices change</button></form>`;

const AFFILIATE = `<h1>The best coffee grinders</h1>${prose('We tested nine grinders for two months.', 'As an Amazon Associate we earn from qualifying purchases.')}<a href="https://www.amazon.com/dp/B000000000?tag=grind-20"><img src="buy-on-amazon.png" alt="Amazon"></a>`;

const SNIPCART = `<h1>Prints</h1><button class="snipcart-add-item" data-item-id="p1" data-item-price="20" data-item-url="/prints.html">Add</button><div hidden id="snipcart" data-api-key="YTM0"></div><script async src="https://cdn.snipcart.com/themes/v3.4.0/default/snipcart.js"></script>`;

export const SHOPS: Samples = {
  'Stripe Elements': site('Checkout – Copper & Clay', STRIPE),
  'a card form of its own': site('Payment | Northloom', CARD),
  'donations with PayPal': site('Paws Shelter', PAYPAL_CLASSIC),
  'buttons of PayPal': site('Cart – Mugs & More', PAYPAL_SDK),
  'orders to a form service': site('Rise Bakery – order', FORMSPREE),
  'a letter with Mailchimp': site('Field Notes', MAILCHIMP),
  'an account and a card in one form': site('Kasse – Lindenhof', ACCOUNT_CHECKOUT, { lang: 'de' }),
  'orders to Telegram': site('Суши 24', TELEGRAM, { lang: 'ru' }),
  'a cart as an application': scripted('Grain & Joint', CART),
  'donations by direct debit': site('Foodsave e. V.', DONATION, { lang: 'de' }),
  'a comparison of prices': site('Netflix, Disney+ or Spotify: what they cost', PRICES),
  'a review with links to Amazon': site('Coffee grinders, tested', AFFILIATE),
  'a cart of another service': site('Prints by Ada', SNIPCART),
  'a shop of many pages': {
    'index.html': page('Teahouse', `<h1>Teahouse</h1>${BADGES}`),
    'login.html': page(
      'Sign in – Teahouse',
      `<form action="/account" method="post">${field('Email', 'name="e"')}${field('Password', 'type="password" name="p"')}</form>${BADGES}`,
    ),
    'checkout.html': page(
      'Checkout – Teahouse',
      `<a href="https://buy.stripe.com/test_000">Pay with card</a>${BADGES}`,
    ),
  },
};
