import { type BrokenProject, page } from '../project.ts';

const CARD = `<style>
  body { font: 16px/1.5 Georgia, serif; background: #fffbeb; color: #292524; display: grid; place-items: center; min-height: 100vh; margin: 0; }
  main { background: #fff; border: 1px solid #d6d3d1; border-radius: 12px; padding: 2rem; max-width: 18rem; }
  button, input { font: inherit; padding: 0.4rem 0.8rem; }
</style>`;

/** Scripts that fail as the page is used. */
export const USING: readonly BrokenProject[] = [
  {
    name: 'a cart that throws in a click',
    files: {
      'index.html': page(
        'Cart',
        `<main><h1>Cart</h1><p id="total">Total: €0.00</p><button id="add">Add to cart</button></main>
<script src="cart.js"></script>`,
        CARD,
      ),
      'cart.js': `const cart = { items: [] };

document.getElementById('add').addEventListener('click', () => {
  cart.items.push({ name: 'Mug', cost: 9 });
  const total = cart.items.reduce((sum, item) => sum + Number(item.price.toFixed(2)), 0);
  document.getElementById('total').textContent = 'Total: €' + total.toFixed(2);
});
`,
    },
    fault: {
      kinds: ['error'],
      message: /Cannot read properties of undefined \(reading 'toFixed'\).*"Add to cart"/,
      path: 'cart.js',
      line: 'item.price.toFixed',
    },
  },
  {
    name: 'a quote machine whose promise is rejected after a click',
    files: {
      'index.html': page(
        'Quotes',
        `<main><h1>Quotes</h1><blockquote id="quote">Press the button.</blockquote><button onclick="showQuote()">New quote</button></main>
<script src="quotes.js"></script>`,
        CARD,
      ),
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
    fault: {
      kinds: ['error'],
      message: /Cannot read properties of undefined \(reading 'trim'\)/,
      path: 'quotes.js',
      line: 'quote.trim',
    },
  },
  {
    name: 'a launch page whose countdown throws in a timer',
    files: {
      'index.html': page(
        'Coming soon',
        `<main><h1>We launch soon</h1><p><span id="days">0</span> days <span id="hours">0</span> hours</p></main>
<script src="countdown.js"></script>`,
        CARD,
      ),
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
    fault: {
      kinds: ['error'],
      message: /Cannot set properties of null \(setting 'textContent'\)/,
      path: 'countdown.js',
      line: "'seconds'",
    },
  },
  {
    name: 'a contact form that throws in its submit handler',
    files: {
      'index.html': page(
        'Contact',
        `<main><h1>Contact us</h1>
<form id="contact">
  <p><label>Name <input name="name" required></label></p>
  <p><label>Email <input name="email" type="email" required></label></p>
  <p><label>Message <textarea name="message" required minlength="10"></textarea></label></p>
  <button type="submit">Send</button>
</form><p id="status" role="status"></p></main>
<script src="contact.js"></script>`,
        CARD,
      ),
      'contact.js': `const form = document.getElementById('contact');
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const data = Object.fromEntries(new FormData(form));
  document.getElementById('status').textContent = 'Thank you, ' + capitalise(data.name) + '!';
  form.reset();
});
`,
    },
    fault: {
      kinds: ['error'],
      message: /capitalise is not defined/,
      path: 'contact.js',
      line: 'capitalise(',
    },
  },
  {
    name: 'a search that makes an invalid regular expression of what is typed',
    files: {
      'index.html': page(
        'Countries',
        `<main><h1>Countries</h1><label>Search <input id="search" type="search"></label><ul id="result"><li>Chile</li><li>Ghana</li></ul></main>
<script src="search.js"></script>`,
        CARD,
      ),
      'search.js': `const countries = ['Chile', 'Ghana', 'Japan', 'Norway'];
const search = document.getElementById('search');

search.addEventListener('input', () => {
  const pattern = new RegExp('^[' + search.value + '.*', 'i');
  const found = countries.filter((country) => pattern.test(country));
  document.getElementById('result').innerHTML = found.map((country) => '<li>' + country + '</li>').join('');
});
`,
    },
    fault: {
      kinds: ['error'],
      message: /SyntaxError: Invalid regular expression/,
      path: 'search.js',
      line: 'new RegExp',
    },
  },
  {
    name: 'a maze that throws when an arrow key is pressed',
    files: {
      'index.html': page(
        'Maze',
        `<main><h1>Maze</h1><p>Use the arrow keys.</p><canvas id="maze" width="200" height="200" role="img" aria-label="Maze"></canvas></main>
<script src="maze.js"></script>`,
        CARD,
      ),
      'maze.js': `const context = document.getElementById('maze').getContext('2d');
const grid = [[0, 0, 1], [1, 0, 1], [1, 0, 0]];
const player = { x: 0, y: 0 };
const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function draw() {
  grid.forEach((row, y) => row.forEach((wall, x) => {
    context.fillStyle = wall ? '#44403c' : '#e7e5e4';
    context.fillRect(x * 60, y * 60, 58, 58);
  }));
  context.fillStyle = '#b45309';
  context.fillRect(player.x * 60 + 10, player.y * 60 + 10, 38, 38);
}

document.addEventListener('keydown', (event) => {
  const move = moves[event.key];
  if (!move) return;
  event.preventDefault();
  if (isFree(player.x + move[0], player.y + move[1])) player.x += move[0];
  draw();
});
draw();
`,
    },
    fault: { kinds: ['error'], message: /isFree is not defined/, path: 'maze.js', line: 'isFree(' },
  },
  {
    name: 'a canvas game that throws in its loop',
    files: {
      'index.html': page(
        'Meteors',
        `<main><h1>Meteors</h1><canvas id="game" width="240" height="240" role="img" aria-label="The game"></canvas><p><button id="start">Start game</button></p></main>
<script type="module" src="game.js"></script>`,
        CARD,
      ),
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
    fault: {
      kinds: ['error'],
      message: /meteor\.move is not a function/,
      path: 'game.js',
      line: 'meteor.move()',
    },
  },
  {
    name: 'a second page that cannot parse what the first one stored',
    files: {
      'index.html': page(
        'Recipes',
        `<main><h1>Recipes</h1><button id="save">Save pancakes</button><p><a href="favourites.html">My favourites</a></p></main>
<script src="index.js"></script>`,
        CARD,
      ),
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
    fault: {
      kinds: ['error'],
      message: /SyntaxError: .*is not valid JSON/,
      path: 'favourites.js',
      line: 'JSON.parse',
    },
  },
];
