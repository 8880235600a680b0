import { page, type SoundProject, site } from '../project.ts';

const STYLE = `<style>
  :root { color-scheme: light dark; --fg: #111827; --bg: #ffffff; }
  @media (prefers-color-scheme: dark) { :root { --fg: #f9fafb; --bg: #111827; } }
  [data-theme="dark"] { --fg: #f9fafb; --bg: #111827; }
  body { font-family: system-ui, sans-serif; margin: 0; padding: 1rem; color: var(--fg); background: var(--bg); }
  a { color: inherit; }
</style>`;

/** Applications that route, wait, load, or show dialogs. */
export const APPLICATIONS: readonly SoundProject[] = [
  site(
    'a weather page that falls back if its API is out of reach',
    'Weather',
    `<main><h1>Weather</h1><p id="now">Loading…</p><button id="again">Refresh</button></main><script type="module" src="weather.js"></script>`,
    STYLE,
    {
      'weather.js': `const now = document.getElementById('now');
async function load() {
  try {
    const response = await fetch('https://api.open-meteo.com/v1/forecast?latitude=52.5&longitude=13.4&current=temperature_2m');
    if (!response.ok) throw new Error('HTTP ' + response.status);
    const { current } = await response.json();
    now.textContent = current.temperature_2m + ' °C';
  } catch (error) {
    console.warn('No live data:', error.message);
    now.textContent = 'About 18 °C (no live data)';
  }
}
document.getElementById('again').addEventListener('click', load);
load();
`,
    },
  ),
  site(
    'an application that renders after a while',
    'Inbox',
    `<div id="root"></div><script src="app.js"></script>`,
    STYLE,
    {
      'app.js': `const api = { messages: () => new Promise((resolve) => setTimeout(() => resolve(['Welcome', 'Invoice']), 300)) };
api.messages().then((messages) => {
  document.getElementById('root').innerHTML = '<main><h1>Inbox</h1><ul>' + messages.map((text) => '<li>' + text + '</li>').join('') + '</ul></main>';
});
`,
    },
  ),
  site(
    'a wiki with routes in the hash',
    'Wiki',
    `<nav aria-label="Pages"><a href="#/">Home</a> <a href="#/cats">Cats</a> <a href="#/dogs">Dogs</a></nav><main id="view"></main><script type="module" src="router.js"></script>`,
    STYLE,
    {
      'router.js': `const views = { '/': 'Start here', '/cats': 'Cats sleep a lot', '/dogs': 'Dogs run a lot' };
const show = () => {
  const text = views[location.hash.slice(1) || '/'] ?? 'Nothing here';
  document.getElementById('view').innerHTML = '<h1>' + text + '</h1>';
};
addEventListener('hashchange', show);
show();
`,
    },
  ),
  site(
    'a shop with routes in the path',
    'Shop',
    `<nav aria-label="Shop"><a href="/" data-link>Home</a> <a href="/products" data-link>Products</a> <a href="/basket" data-link>Basket</a></nav><main id="view"></main><script src="/app.js"></script>`,
    STYLE,
    {
      '200.html': page(
        'Shop',
        `<nav aria-label="Shop"><a href="/" data-link>Home</a> <a href="/products" data-link>Products</a> <a href="/basket" data-link>Basket</a></nav><main id="view"></main><script src="/app.js"></script>`,
        STYLE,
      ),
      'app.js': `function show() {
  const name = location.pathname.split('/').pop();
  document.getElementById('view').innerHTML = '<h1>' + ({ products: 'Products', basket: 'Your basket' }[name] || 'Welcome') + '</h1>';
}
document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-link]');
  if (!link) return;
  event.preventDefault();
  history.pushState({}, '', link.href);
  show();
});
addEventListener('popstate', show);
show();
`,
    },
  ),
  site(
    'a dialog that covers the button that opens it',
    'Plans',
    `<main><h1>Plans</h1><button id="open">See plans</button> <button id="ask">Ask us</button></main>
<dialog id="plans" aria-label="Plans"><p>Small, medium, large.</p><form method="dialog"><button>Close</button></form></dialog>
<div id="overlay" hidden><div role="dialog" aria-modal="true" aria-label="Question"><label>Question <input></label> <button id="done">Done</button></div></div>
<script>
  document.getElementById('open').onclick = () => document.getElementById('plans').showModal();
  const overlay = document.getElementById('overlay');
  document.getElementById('ask').onclick = () => { overlay.hidden = false; };
  document.getElementById('done').onclick = () => { overlay.hidden = true; };
</script>`,
    `${STYLE}<style>#overlay:not([hidden]) { position: fixed; inset: 0; background: #fff; color: #111; padding: 2rem; }</style>`,
  ),
  site(
    'a theme that is remembered',
    'Theme',
    `<main><h1>Theme</h1><p>Pick what your eyes like.</p><button id="theme" aria-pressed="false">Dark mode</button></main>
<script>
  const button = document.getElementById('theme');
  const set = (theme) => { document.documentElement.dataset.theme = theme; button.setAttribute('aria-pressed', String(theme === 'dark')); localStorage.theme = theme; };
  button.onclick = () => set(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  if (localStorage.theme) set(localStorage.theme);
</script>`,
    STYLE.replace(/\n {2}@media[^\n]+/, ''),
  ),
  site(
    'web components from an import map',
    'Ratings',
    `<main><h1>Ratings</h1><star-rating value="4"></star-rating></main><script type="module">import 'widgets/star-rating.js';</script>`,
    `<script type="importmap">{ "imports": { "widgets/": "./components/" } }</script>${STYLE}`,
    {
      'components/star-rating.js': `import { clamp } from './clamp.js';
class StarRating extends HTMLElement {
  connectedCallback() {
    this.attachShadow({ mode: 'open' });
    this.render(Number(this.getAttribute('value')));
  }
  render(value) {
    this.shadowRoot.innerHTML = '<p>' + '★'.repeat(value) + '</p><button>More</button>';
    this.shadowRoot.querySelector('button').onclick = () => this.render(clamp(value + 1, 0, 5));
  }
}
customElements.define('star-rating', StarRating);
`,
      'components/clamp.js': 'export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));\n',
    },
  ),
];
