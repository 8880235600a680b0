import { type BrokenProject, broken } from '../project.ts';

const STYLES = `:root { --accent: #4338ca; }
body { font-family: system-ui, sans-serif; margin: 0 auto; max-width: 40rem; padding: 1rem; color: #1f2937; background: #f9fafb; }
button { background: var(--accent); color: #fff; border: 0; border-radius: 6px; padding: 0.5rem 1rem; }
`;
const LINKED = '<link rel="stylesheet" href="style.css">';

/** Scripts that fail while the page loads. */
export const LOADING: readonly BrokenProject[] = [
  broken(
    'a to-do list that reads a storage that is empty',
    {
      kinds: ['error'],
      message: /TypeError: Cannot read properties of null \(reading 'forEach'\)/,
      path: 'app.js',
      line: 'todos.forEach',
      blocking: true,
    },
    'Todo',
    `<main><h1>My tasks</h1>
<form id="add"><label>New task <input id="text" required></label> <button>Add</button></form>
<ul id="list"></ul></main>
<script src="app.js"></script>`,
    LINKED,
    {
      'style.css': STYLES,
      'app.js': `const list = document.getElementById('list');
const todos = JSON.parse(localStorage.getItem('todos'));

function render() {
  list.innerHTML = '';
  todos.forEach((todo) => {
    const li = document.createElement('li');
    li.textContent = todo.text;
    list.appendChild(li);
  });
}

document.getElementById('add').addEventListener('submit', (event) => {
  event.preventDefault();
  todos.push({ text: document.getElementById('text').value });
  localStorage.setItem('todos', JSON.stringify(todos));
  render();
});
render();
`,
    },
  ),
  broken(
    'a calculator whose script does not parse',
    {
      kinds: ['error'],
      message: /SyntaxError: Unexpected token ';'/,
      path: 'calculator.js',
      line: 'const tip',
      blocking: true,
    },
    'Tip calculator',
    `<main><h1>Tip calculator</h1>
<p><label>Bill <input id="bill" type="number" value="20"></label></p>
<button id="go">Calculate</button> <output id="out"></output></main>
<script src="calculator.js" defer></script>`,
    LINKED,
    {
      'style.css': STYLES,
      'calculator.js': `const out = document.getElementById('out');
document.getElementById('go').addEventListener('click', () => {
  const bill = Number(document.getElementById('bill').value);
  const tip = ;
  out.textContent = (bill + tip).toFixed(2);
});
`,
    },
  ),
  broken(
    'a counter that imports a package by its name',
    {
      kinds: ['error'],
      message: /Failed to resolve module specifier "canvas-confetti"/,
      blocking: true,
    },
    'Party counter',
    `<main><h1>Party counter</h1><p id="count">0 guests</p><button id="more">One more</button></main>
<script type="module" src="main.js"></script>`,
    LINKED,
    {
      'style.css': STYLES,
      'main.js': `import confetti from 'canvas-confetti';

let count = 0;
document.getElementById('more').addEventListener('click', () => {
  count += 1;
  document.getElementById('count').textContent = count + ' guests';
  confetti();
});
`,
    },
  ),
  broken(
    'a shop that imports a name that is not exported',
    {
      kinds: ['error'],
      message: /does not provide an export named 'formatPrice'/,
      path: 'src/main.js',
      line: 'formatPrice }',
      blocking: true,
    },
    'Plant shop',
    `<main><h1>Plant shop</h1><ul id="plants"><li>Ficus</li></ul></main>
<script type="module" src="src/main.js"></script>`,
    LINKED,
    {
      'style.css': STYLES,
      'src/main.js': `import { plants } from './data.js';
import { formatPrice } from './utils.js';

document.getElementById('plants').innerHTML = plants
  .map((plant) => '<li>' + plant.name + ' ' + formatPrice(plant.price) + '</li>')
  .join('');
`,
      'src/data.js': `export const plants = [{ name: 'Ficus', price: 12 }, { name: 'Monstera', price: 30 }];
`,
      'src/utils.js': `export function formatCurrency(value) {
  return '€' + value.toFixed(2);
}
`,
    },
  ),
  broken(
    'a notes app that imports a missing module',
    { kinds: ['missing', 'error'], message: /note-list\.js/ },
    'Notes',
    `<main><h1>Notes</h1><p>Your notes are kept in this browser.</p><div id="notes"></div></main>
<script type="module" src="js/app.js"></script>`,
    LINKED,
    {
      'style.css': STYLES,
      'js/app.js': `import { loadNotes } from './store.js';
import { renderNotes } from './components/note-list.js';

renderNotes(document.getElementById('notes'), loadNotes());
`,
      'js/store.js': `export const loadNotes = () => JSON.parse(localStorage.getItem('notes') || '[]');
`,
    },
  ),
  broken(
    'a dashboard with an import map that is not JSON',
    {
      kinds: ['error'],
      message: /import map|Failed to resolve module specifier "charts"/i,
      blocking: true,
    },
    'Sales',
    `<main><h1>Sales this week</h1><svg id="chart" viewBox="0 0 100 40" role="img" aria-label="Sales by day"></svg></main>
<script type="module">
  import { bars } from 'charts';
  document.getElementById('chart').innerHTML = bars([3, 8, 5, 9, 4]);
</script>`,
    `${LINKED}
  <script type="importmap">
    { "imports": { "charts": "./lib/charts.js", } }
  </script>`,
    {
      'style.css': STYLES,
      'lib/charts.js': `export const bars = (values) => values
  .map((value, index) => '<rect x="' + index * 20 + '" y="' + (40 - value * 4) + '" width="16" height="' + value * 4 + '" fill="#4338ca"/>')
  .join('');
`,
    },
  ),
  broken(
    'a web component that fails as it is connected',
    {
      kinds: ['error'],
      message: /Cannot read properties of null \(reading 'toUpperCase'\)/,
      path: 'index.html',
      line: 'toUpperCase',
      blocking: true,
    },
    'Team',
    `<main><h1>Our team</h1><p>The people behind the product.</p>
<member-card name="Ada" role-title="Engineer"></member-card>
<member-card name="Grace"></member-card></main>
<script>
  class MemberCard extends HTMLElement {
    connectedCallback() {
      const role = this.getAttribute('role-title').toUpperCase();
      this.innerHTML = '<h2>' + this.getAttribute('name') + '</h2><p>' + role + '</p>';
    }
  }
  customElements.define('member-card', MemberCard);
</script>`,
    LINKED,
    {
      'style.css': STYLES,
    },
  ),
  broken(
    'a file tree that recurses without an end',
    {
      kinds: ['error'],
      message: /RangeError: Maximum call stack size exceeded/,
      path: 'tree.js',
      blocking: true,
    },
    'Explorer',
    `<main><h1>Explorer</h1><div id="tree"></div></main><script src="tree.js"></script>`,
    LINKED,
    {
      'style.css': STYLES,
      'tree.js': `const root = { name: 'src', children: [{ name: 'index.js' }] };
root.children.push(root);

function depth(node) {
  return 1 + Math.max(0, ...(node.children || []).map(depth));
}

document.getElementById('tree').textContent = root.name + ': ' + depth(root) + ' levels';
`,
    },
  ),
];
