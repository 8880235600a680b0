import { type BrokenProject, broken, page } from '../project.ts';

const CARD = `<style>
  body { font: 16px/1.5 Georgia, serif; background: #fffbeb; color: #292524; display: grid; place-items: center; min-height: 100vh; margin: 0; }
  main { background: #fff; border: 1px solid #d6d3d1; border-radius: 12px; padding: 2rem; max-width: 18rem; }
  button, input { font: inherit; padding: 0.4rem 0.8rem; }
</style>`;

/** Scripts that fail as the page is used. */
export const USING: readonly BrokenProject[] = [
  broken(
    'a cart that throws in a click',
    {
      kinds: ['error'],
      message: /Cannot read properties of undefined \(reading 'toFixed'\).*"Add to cart"/,
      path: 'cart.js',
      line: 'item.price.toFixed',
    },
    'Cart',
    `<main><h1>Cart</h1><p id="total">Total: €0.00</p><button id="add">Add to cart</button></main>
<script src="cart.js"></script>`,
    CARD,
    {
      'cart.js': `const cart = { items: [] };

document.getElementById('add').addEventListener('click', () => {
  cart.items.push({ name: 'Mug', cost: 9 });
  const total = cart.items.reduce((sum, item) => sum + Number(item.price.toFixed(2)), 0);
  document.getElementById('total').textContent = 'Total: €' + total.toFixed(2);
});
`,
    },
  ),
  broken(
    'a quote machine whose promise is rejected after a click',
    {
      kinds: ['error'],
      message: /Cannot read properties of undefined \(reading 'trim'\)/,
      path: 'quotes.js',
      line: 'quote.trim',
    },
    'Quotes',
    `<main><h1>Quotes</h1><blockquote id="quote">Press the button.</blockquote><button onclick="showQuote()">New quote</button></main>
<script src="quotes.js"></script>`,
    CARD,
    {
      'quotes.js': `const quotes = ['Less is more.', 'Simplicity is a virtue.'];

function pick() {
  return new Promise((resolve) => setTimeout(() => resolve(quotes[quotes.length]), 100));
}

async function showQuote() {
  const quote = await pick();
  document.getElementById('quote').textContent = quote.trim();
}
`,
    },
  ),
  broken(
    'a launch page whose countdown throws in a timer',
    {
      kinds: ['error'],
      message: /Cannot set properties of null \(setting 'textContent'\)/,
      path: 'countdown.js',
      line: "'seconds'",
    },
    'Coming soon',
    `<main><h1>We launch soon</h1><p><span id="days">0</span> days <span id="hours">0</span> hours</p></main>
<script src="countdown.js"></script>`,
    CARD,
    {
      'countdown.js': `const launch = Date.now() + 5 * 86400000;

function tick() {
  const left = launch - Date.now();
  document.getElementById('days').textContent = Math.floor(left / 86400000);
  document.getElementById('hours').textContent = Math.floor(left / 3600000) % 24;
  document.getElementById('seconds').textContent = Math.floor(left / 1000) % 60;
}
setInterval(tick, 1000);
`,
    },
  ),
  broken(
    'a canvas game that throws in its loop',
    {
      kinds: ['error'],
      message: /meteor\.move is not a function/,
      path: 'game.js',
      line: 'meteor.move()',
    },
    'Meteors',
    `<main><h1>Meteors</h1><canvas id="game" width="240" height="240" role="img" aria-label="The game"></canvas><p><button id="start">Start game</button></p></main>
<script type="module" src="game.js"></script>`,
    CARD,
    {
      'game.js': `import { createMeteor } from './meteor.js';

const canvas = document.getElementById('game');
const context = canvas.getContext('2d');
const meteors = [];

function frame() {
  context.fillStyle = '#0c0a09';
  context.fillRect(0, 0, canvas.width, canvas.height);
  if (Math.random() < 0.5) meteors.push(createMeteor(canvas.width));
  for (const meteor of meteors) {
    meteor.move();
    context.fillStyle = '#fbbf24';
    context.fillRect(meteor.x, meteor.y, 10, 10);
  }
  requestAnimationFrame(frame);
}

context.fillRect(0, 0, canvas.width, canvas.height);
document.getElementById('start').addEventListener('click', () => requestAnimationFrame(frame));
`,
      'meteor.js': `export function createMeteor(width) {
  return { x: Math.random() * width, y: 0, update() { this.y += 2; } };
}
`,
    },
  ),
  broken(
    'a second page that cannot parse what the first one stored',
    {
      kinds: ['error'],
      message: /SyntaxError: .*is not valid JSON/,
      path: 'favourites.js',
      line: 'JSON.parse',
    },
    'Recipes',
    `<main><h1>Recipes</h1><button id="save">Save pancakes</button><p><a href="favourites.html">My favourites</a></p></main>
<script src="index.js"></script>`,
    CARD,
    {
      'index.js': `localStorage.setItem('profile', { name: 'Guest', favourites: [] });
document.getElementById('save').addEventListener('click', (event) => {
  event.target.textContent = 'Saved';
});
`,
      'favourites.html': page(
        'Favourites',
        `<main><h1>My favourites</h1><ul id="favourites"></ul><a href="index.html">Back</a></main>
<script src="favourites.js"></script>`,
        CARD,
      ),
      'favourites.js': `const profile = JSON.parse(localStorage.getItem('profile') || '{"favourites":[]}');
const list = document.getElementById('favourites');
list.innerHTML = profile.favourites.map((name) => '<li>' + name + '</li>').join('') || '<li>Nothing yet</li>';
`,
    },
  ),
];
