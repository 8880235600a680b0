import { type BrokenProject, broken, page } from '../project.ts';

const PLAIN = `<style>
  body { font-family: Verdana, sans-serif; margin: 0; background: #ecfeff; color: #164e63; }
  main { max-width: 36rem; margin: 0 auto; padding: 1.5rem; }
  nav a { color: #155e75; margin-right: 1rem; }
</style>`;

/** References to files that do not exist. */
export const REFERENCES: readonly BrokenProject[] = [
  broken(
    'a portfolio with a missing image',
    { kinds: ['missing'], message: /images\/portrait\.jpg/ },
    'Mira Lund',
    `<main><img src="images/portrait.jpg" alt="Mira Lund" width="160" height="160"><h1>Mira Lund</h1><p>Illustrator in Oslo.</p></main>`,
    PLAIN,
  ),
  broken(
    'a blog whose style sheet has another case',
    { kinds: ['missing'], message: /css\/Style\.css/ },
    'Field notes',
    `<main><h1>Field notes</h1><p>Observations from the coast.</p></main>`,
    '<link rel="stylesheet" href="css/Style.css">',
    {
      'css/style.css': 'body { font-family: serif; background: #fef3c7; color: #451a03; }\n',
    },
  ),
  broken(
    'a restaurant with a link to a page that does not exist',
    { kinds: ['missing'], message: /reservations\.html/ },
    'Trattoria',
    `<main><nav><a href="index.html">Home</a><a href="menu.html">Menu</a><a href="reservations.html">Reservations</a></nav><h1>Trattoria</h1><p>Open daily from noon.</p></main>`,
    PLAIN,
    {
      'menu.html': page(
        'Menu',
        `<main><nav><a href="index.html">Home</a></nav><h1>Menu</h1><p>Pasta, pizza, salad.</p></main>`,
        PLAIN,
      ),
    },
  ),
  broken(
    'a prime counter whose worker is missing',
    { kinds: ['missing', 'error'], message: /workers\/primes\.js/ },
    'Primes',
    `<main><h1>Primes</h1><p id="status">Ready to count.</p><button id="count">Count primes</button></main>
<script src="app.js"></script>`,
    PLAIN,
    {
      'app.js': `document.getElementById('count').addEventListener('click', () => {
  const worker = new Worker('workers/primes.js');
  worker.onmessage = ({ data }) => { document.getElementById('status').textContent = data + ' primes'; };
  worker.postMessage(1000);
});
`,
    },
  ),
];
