import { type BrokenProject, broken } from '../project.ts';

const CALM = 'body { font-family: system-ui, sans-serif; margin: 0; color: #1e293b; background: #f8fafc; }';

/** Pages that show nothing, scroll sideways on a phone, or have markup that their style sheet does not know. */
export const APPEARANCE: readonly BrokenProject[] = [
  broken(
    'white text on white',
    { kinds: ['blank'], message: /./, blocking: true },
    'Nimbus',
    `<section class="hero"><h1>Nimbus</h1><p>Weather that is always right.</p></section>`,
    '<link rel="stylesheet" href="styles.css">',
    {
      'styles.css': `.hero { color: #fff; background-image: linear-gradient(var(--sky), var(--sea)); padding: 4rem 1rem; text-align: center; }
`,
    },
  ),
  broken(
    'a body without a height that hides its overflow',
    { kinds: ['blank'], message: /./, blocking: true },
    'Chat',
    `<main><h1>Team chat</h1><ol><li>Hello!</li><li>Good morning.</li></ol></main>`,
    '<link rel="stylesheet" href="styles.css">',
    {
      'styles.css': `html, body { margin: 0; height: 0; overflow: hidden; }
main { height: 100%; padding: 1rem; }
`,
    },
  ),
  broken(
    'an application that stays hidden behind its loader',
    { kinds: ['blank'], message: /./, blocking: true },
    'Budget',
    `<div id="app" hidden><h1>Budget</h1><p>You have €250 left this month.</p><button>Add expense</button></div>
<script src="app.js"></script>`,
    `<style>${CALM}</style>`,
    {
      'app.js': `document.addEventListener('DOMContentLoad', () => {
  document.getElementById('app').hidden = false;
});
`,
    },
  ),
  broken(
    'screens that wait outside of the window',
    { kinds: ['blank'], message: /./, blocking: true },
    'Onboarding',
    `<div class="screen"><h1>Welcome</h1><p>Three steps and you are done.</p><button>Next</button></div>`,
    `<style>${CALM}
  .screen { position: fixed; inset: 0; padding: 2rem; transform: translateX(110%); transition: transform 0.4s; }
  .screen.active { transform: none; }
</style>`,
  ),
  broken(
    'a router that does nothing at the bare address',
    { kinds: ['blank'], message: /<main id="view" tabindex="-1"> is empty/, blocking: true },
    'Recipes',
    `<header><a href="#/recipes">Recipe tin</a><nav><a href="#/recipes">Recipes</a><a href="#/new">Add</a></nav></header>
<main id="view" tabindex="-1"></main>
<script src="app.js"></script>`,
    `<style>${CALM} header { display: flex; gap: 1rem; padding: 1rem; background: #fecaca; }</style>`,
    {
      'app.js': `const VIEWS = {
  recipes: '<h1>Recipes</h1><p>Pancakes</p>',
  new: '<h1>New recipe</h1><label>Name <input></label>',
};
function show() {
  const [, name] = location.hash.split('/');
  if (name in VIEWS) document.getElementById('view').innerHTML = VIEWS[name];
}
addEventListener('hashchange', show);
show();
`,
    },
  ),
  broken(
    'a link that skips the header, which the style sheet names differently',
    { kinds: ['layout'], message: /class="skip"/ },
    'Garden',
    `<a class="skip" href="#main">Skip to the content</a><header>Garden</header><main id="main"><h1>Garden</h1><p>Sow peas in March.</p></main>`,
    '<link rel="stylesheet" href="styles.css">',
    {
      'styles.css': `${CALM}
.skip-link { position: absolute; left: -999px; }
.skip-link:focus { left: 0; }
`,
    },
  ),
  broken(
    'a table of prices with a fixed width, under a bar that is as wide as the page',
    { kinds: ['wide'], message: /<main class="plans"> sticks out/ },
    'Pricing',
    `<nav class="bar"><a href="#">Home</a></nav><main class="plans"><section><h1>Free</h1><p>For one person.</p></section><section><h2>Team</h2><p>For ten people.</p></section></main>`,
    `<style>${CALM}
  .bar { position: fixed; inset: auto 0 0; background: #fff; }
  .plans { display: flex; width: 960px; margin: 0 auto; }
  section { flex: 1; padding: 2rem; border: 1px solid #94a3b8; }
</style>`,
  ),
  broken(
    'a hero as wide as the window, and its padding',
    { kinds: ['wide'], message: /./ },
    'Summit',
    `<header class="hero"><h1>Summit 2027</h1><p>Two days of talks in the Alps.</p></header><main><p>Tickets go on sale in May.</p></main>`,
    `<style>${CALM}
  .hero { width: 100vw; padding: 3rem 2rem; background: #0f172a; color: #f8fafc; }
  main { padding: 1rem; }
</style>`,
  ),
];
