import { type BrokenProject, broken } from '../project.ts';

const STYLE = `<style>
  body { font-family: "Trebuchet MS", sans-serif; margin: 0; background: #fff; color: #14532d; }
  main { max-width: 32rem; margin: 0 auto; padding: 1rem; }
</style>`;

/** What screen readers and weak eyes cannot use, and what only a console shows. */
export const BARRIERS: readonly BrokenProject[] = [
  broken(
    'a newsletter whose field has no label',
    { kinds: ['accessibility'], message: /label/i },
    'Garden letter',
    `<main><h1>Garden letter</h1><p>Once a month, no spam.</p><form id="f"><input type="email" name="email"><button>Subscribe</button></form><p id="thanks" role="status"></p></main>
<script>
  document.getElementById('f').addEventListener('submit', (event) => {
    event.preventDefault();
    document.getElementById('thanks').textContent = 'Thank you!';
  });
</script>`,
    STYLE,
  ),
  broken(
    'a player whose button has no name',
    { kinds: ['accessibility'], message: /button/i },
    'Metronome',
    `<main><h1>Metronome</h1><p id="state">Paused</p><button id="play"><svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 4l14 8-14 8z" fill="#14532d"/></svg></button></main>
<script>
  const state = document.getElementById('state');
  document.getElementById('play').onclick = () => {
    state.textContent = state.textContent === 'Paused' ? '120 beats per minute' : 'Paused';
  };
</script>`,
    STYLE,
  ),
  broken(
    'a gallery whose image has no alternative text',
    { kinds: ['accessibility'], message: /alt/i },
    'Leaves',
    `<main><h1>Leaves</h1><p>Collected in autumn.</p><img src="leaf.svg" width="120" height="120"></main>`,
    STYLE,
    {
      'leaf.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><ellipse cx="5" cy="5" rx="2" ry="4" fill="#15803d"/></svg>\n',
    },
  ),
  broken(
    'a footer in light grey',
    { kinds: ['accessibility'], message: /contrast/i },
    'Bakery',
    `<main><h1>Bakery</h1><p>Bread from six in the morning.</p><p class="muted">Closed on Sundays and public holidays.</p></main>`,
    STYLE.replace('</style>', '  .muted { color: #cbd5e1; }\n</style>'),
  ),
  broken(
    'a weather page that logs an error while it loads',
    { kinds: ['console'], message: /no API key is configured/ },
    'Weather',
    `<main><h1>Weather</h1><p id="weather">Sunny, 21 °C</p></main><script src="weather.js"></script>`,
    STYLE,
    {
      'weather.js': `const settings = { units: 'metric' };
if (!settings.apiKey) {
  console.error('Weather: no API key is configured, set settings.apiKey');
}
`,
    },
  ),
];
