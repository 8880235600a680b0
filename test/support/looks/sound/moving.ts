import { type SoundProject, site } from '../project.ts';

const DARK = `<style>
  body { margin: 0; font: 1rem/1.5 ui-sans-serif, sans-serif; background: #0b1020; color: #e2e8f0; }
  main { padding: 1rem; max-width: 40rem; margin: 0 auto; }
  button { font: inherit; padding: 0.5rem 1rem; background: #e2e8f0; color: #0b1020; border: 0; border-radius: 8px; }
</style>`;

/** Pages that move, draw, play, or observe. */
export const MOVING: readonly SoundProject[] = [
  site(
    'a page with nothing but a canvas',
    'Stars',
    `<canvas id="sky"></canvas><script src="stars.js"></script>`,
    '<style>html, body { margin: 0; height: 100%; overflow: hidden; background: #000; } canvas { display: block; }</style>',
    {
      'stars.js': `const canvas = document.getElementById('sky');
const context = canvas.getContext('2d');
function draw() {
  canvas.width = innerWidth;
  canvas.height = innerHeight;
  for (let i = 0; i < 200; i++) {
    context.fillStyle = 'hsl(' + Math.random() * 60 + ', 80%, 80%)';
    context.fillRect(Math.random() * canvas.width, Math.random() * canvas.height, 2, 2);
  }
}
addEventListener('resize', draw);
draw();
`,
    },
  ),
  site(
    'a game that runs in animation frames',
    'Paddle',
    `<main><h1>Paddle</h1><canvas id="c" width="300" height="200" role="img" aria-label="Ball and paddle"></canvas><p>Score <span id="score">0</span></p><button id="pause">Pause</button></main><script type="module" src="game.js"></script>`,
    DARK,
    {
      'game.js': `const context = document.getElementById('c').getContext('2d');
const ball = { x: 20, y: 20, dx: 2, dy: 3 };
let paddle = 130;
let running = true;
function frame() {
  if (running) {
    ball.x += ball.dx; ball.y += ball.dy;
    if (ball.x < 0 || ball.x > 290) ball.dx = -ball.dx;
    if (ball.y < 0 || ball.y > 190) ball.dy = -ball.dy;
    context.fillStyle = '#1e293b'; context.fillRect(0, 0, 300, 200);
    context.fillStyle = '#fbbf24'; context.fillRect(ball.x, ball.y, 10, 10); context.fillRect(paddle, 190, 60, 8);
  }
  requestAnimationFrame(frame);
}
document.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowLeft') paddle = Math.max(0, paddle - 20);
  if (event.key === 'ArrowRight') paddle = Math.min(240, paddle + 20);
});
document.getElementById('pause').onclick = () => { running = !running; };
frame();
`,
    },
  ),
  site(
    'a clock with three hands',
    'Clock',
    `<main><h1>Clock</h1><svg viewBox="-50 -50 100 100" width="200" role="img" aria-label="Analogue clock"><circle r="48" fill="#1e293b" stroke="#e2e8f0"/><line id="h" y2="-25" stroke="#e2e8f0" stroke-width="3"/><line id="m" y2="-38" stroke="#e2e8f0" stroke-width="2"/><line id="s" y2="-42" stroke="#f87171"/></svg><p id="text"></p></main>
<script>
  const turn = (id, degrees) => document.getElementById(id).setAttribute('transform', 'rotate(' + degrees + ')');
  function tick() {
    const now = new Date();
    turn('h', now.getHours() * 30); turn('m', now.getMinutes() * 6); turn('s', now.getSeconds() * 6);
    document.getElementById('text').textContent = now.toLocaleTimeString();
  }
  tick(); setInterval(tick, 1000);
</script>`,
    DARK,
  ),
  site(
    'a carousel whose slides lie beside the page',
    'Rooms',
    `<main><h1>Rooms</h1><div class="frame"><div class="track" id="track"><div>Attic</div><div>Garden</div><div>Cellar</div></div></div><button id="back" aria-label="Previous room">‹</button> <button id="next" aria-label="Next room">›</button></main>
<script>
  let slide = 0;
  const show = (step) => { slide = (slide + step + 3) % 3; document.getElementById('track').style.transform = 'translateX(' + slide * -100 + '%)'; };
  document.getElementById('back').onclick = () => show(-1);
  document.getElementById('next').onclick = () => show(1);
</script>`,
    `${DARK}<style>.frame { overflow: hidden; } .track { display: flex; transition: transform 0.5s; } .track > div { flex: 0 0 100%; background: #1e293b; padding: 3rem 0; text-align: center; }</style>`,
  ),
  site(
    'a melody whose playback is refused',
    'Rain',
    `<main><h1>Rain sounds</h1><p id="state">Silence</p><button id="play">Play</button></main>
<script>
  const state = document.getElementById('state');
  const audio = new Audio('data:audio/wav;base64,UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=');
  const play = () => audio.play().then(() => { state.textContent = 'Playing'; }).catch(() => { state.textContent = 'Press play to hear it'; });
  play();
  document.getElementById('play').onclick = () => {
    play();
    const sound = new AudioContext();
    const tone = sound.createOscillator();
    tone.connect(sound.destination); tone.start(); tone.stop(sound.currentTime + 0.1);
  };
</script>`,
    DARK,
  ),
  site(
    'a box that observes its own size',
    'Resize',
    `<main><h1>Resize</h1><p id="size">0</p><button id="grow">Grow</button></main>
<script>
  const main = document.querySelector('main');
  new ResizeObserver(([entry]) => {
    const height = Math.round(entry.contentRect.height);
    document.getElementById('size').textContent = height + ' px high';
    if (height < 400) main.style.minHeight = height + 25 + 'px';
  }).observe(main);
  document.getElementById('grow').onclick = () => { main.style.paddingBottom = '3rem'; };
</script>`,
    DARK,
  ),
  site(
    'a feed that grows as one scrolls',
    'Feed',
    `<main><h1>Feed</h1><ul id="feed"></ul><p id="end">Loading more…</p></main>
<script type="module">
  const feed = document.getElementById('feed');
  let number = 0;
  const more = () => {
    for (let i = 0; i < 20 && number < 400; i++) feed.insertAdjacentHTML('beforeend', '<li>Post ' + ++number + '</li>');
    if (number >= 400) document.getElementById('end').textContent = 'That is all';
  };
  new IntersectionObserver(([entry]) => { if (entry.isIntersecting) more(); }, { rootMargin: '200px' }).observe(document.getElementById('end'));
</script>`,
    DARK,
  ),
  site(
    'cards that fade in unless motion is unwanted',
    'Features',
    `<main><h1>Features</h1><p class="card">Fast</p><p class="card">Quiet</p><p class="card">Light</p></main>
<script>
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) entry.target.classList.add('in');
  });
  for (const card of document.querySelectorAll('.card')) observer.observe(card);
</script>`,
    `${DARK}<style>.card { opacity: 0; transform: translateY(2rem); transition: 0.6s; padding: 1rem; background: #1e293b; } .card.in { opacity: 1; transform: none; }
  @media (prefers-reduced-motion: reduce) { .card { transition: none; } } h1 { animation: pulse 2s infinite; } @keyframes pulse { 50% { letter-spacing: 0.02em; } }</style>`,
  ),
];
