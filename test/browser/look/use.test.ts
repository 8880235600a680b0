import { placedLine } from '../../../lambda/contract/messages.ts';
import { page } from '../../support/looks/project.ts';
import { lookAtProject } from '../../support/looks/verdicts.ts';

const linesOf = async (name: string, files: Readonly<Record<string, string>>) =>
  (await lookAtProject({ name, files })).problems.map(placedLine);

const CHANCE = `
  <h1>Dice</h1>
  <p id="shown"></p>
  <button id="roll">Roll</button>
  <script>
    const shown = document.getElementById('shown');
    const show = () => {
      shown.textContent = [Math.random(), crypto.randomUUID(), Date.now(), new Date(), performance.now()].join(' ');
    };
    show();
    setInterval(show, 100);
    requestAnimationFrame(function frame() { shown.style.paddingLeft = performance.now() / 100 + 'px'; requestAnimationFrame(frame); });
    document.getElementById('roll').onclick = () => { throw new Error('Rolled ' + shown.textContent); };
    for (let i = 0; i < 30; i++) console.error('Chance ' + Math.random());
  </script>`;

it('finds and pictures the same of the same page, whatever it makes of time and chance', async () => {
  const dice = { name: 'dice', files: { 'index.html': page('Dice', CHANCE) } };
  const [first, second] = [await lookAtProject(dice), await lookAtProject(dice)];
  expect(first.problems).toHaveLength(20);
  expect(first.problems).toEqual(second.problems);
  for (const width of [390, 1280] as const)
    expect(
      Buffer.compare(first.screenshots.get(width) ?? Buffer.of(1), second.screenshots.get(width) ?? Buffer.of(2)),
    ).toBe(0);
});

it('uses each kind of control once, and says what it did before an error', async () => {
  const fields = ['text', 'email', 'number', 'date', 'range', 'color', 'checkbox', 'search']
    .map((type) => `<label>The ${type} <input type="${type}"></label>`)
    .join('\n');
  const deletes = Array.from({ length: 100 }, (_, i) => `<li>Row ${i} <button>Delete ${i}</button></li>`).join('');
  const body = `<main><h1>All</h1><form>${fields}<label>Size <select><option>S</option><option>M</option></select></label><button>Send</button></form>
<div id="box" tabindex="0" role="button">Open</div><ul>${deletes}</ul></main>
<script>
  const fail = (what) => setTimeout(() => { throw new Error(what); });
  for (const type of ['input', 'submit']) document.querySelector('form').addEventListener(type, (event) => {
    event.preventDefault();
    fail(type + ' of ' + (event.target.type ?? 'form'));
  });
  document.getElementById('box').onclick = () => fail('open');
  let deleted = 0;
  document.querySelector('ul').onclick = () => fail('delete number ' + ++deleted);
  addEventListener('keydown', ({ key }) => key.startsWith('Arrow') && fail(key));
</script>`;
  const lines = await linesOf('all', { 'index.html': page('All', body) });
  const said = lines.map((line) => line.replace(/^.*Error: /, '')).sort();
  expect(said).toEqual(
    [
      'input of checkbox, after a press of "The checkbox"',
      'input of color, after a change of "The color"',
      'input of date, after a change of "The date"',
      'input of email, after typing into "The email"',
      'input of number, after typing into "The number"',
      'input of range, after a change of "The range"',
      'input of search, after typing into "The search"',
      'input of select-one, after a change of "Size"',
      'input of text, after typing into "The text"',
      'submit of form, after a press of "Send"',
      'open, after a press of "Open"',
      'delete number 1, after a press of "Delete 0"',
      ...['Right', 'Down', 'Left', 'Up'].map((way) => `Arrow${way}, after the key Arrow${way}`),
    ].sort(),
  );
});

it('chooses a file where a field accepts a usual type', async () => {
  const body = `<main><h1>Files</h1>
<label>Table <input type="file" accept=".json,.csv"></label>
<button onclick="photo.click()">Photo</button><input id="photo" type="file" accept="image/*" hidden aria-label="Photo">
<label>Backup <input type="file" accept=".json"></label><label>Any <input type="file"></label></main>
<script>
  addEventListener('change', async ({ target: { files: [file] } }) => {
    if (file.type.startsWith('image/')) throw new Error('a picture of ' + (await createImageBitmap(file)).width + ' pixels');
    const reader = new FileReader();
    reader.onload = () => { throw new Error(file.name + ' of ' + reader.result.trim().split('\\n').length + ' lines'); };
    reader.readAsText(file);
  });
</script>`;
  const lines = await linesOf('files', { 'index.html': page('Files', body) });
  expect(lines.map((line) => line.replace(/^.*Error: /, '')).sort()).toEqual([
    'a picture of 320 pixels, after the choice of a file for "Photo"',
    'sample.csv of 4 lines, after the choice of a file for "Table"',
  ]);
});

it('waits in no loop for a time that does not pass, and lets timers fire as they would', async () => {
  const body = `<main><h1>Waits</h1></main><script>
  const begun = Date.now();
  while (Date.now() - begun < 200);
  const order = [];
  setTimeout(() => order.push('last'), 500);
  setTimeout((name) => order.push(name), 100, 'given');
  const ticks = setInterval(() => { if (order.push('tick') > 3) { clearInterval(ticks); console.error(order.join()); } }, 150);
</script>`;
  expect(await linesOf('waits', { 'index.html': page('Waits', body) })).toEqual([
    expect.stringMatching(/^index\.html:\d+:\d+: Console: given,tick,tick,tick$/),
  ]);
});

it('excuses what fails because nothing of other sites is loaded', async () => {
  const map = `<main><h1>Map</h1><p>Berlin</p><div id="map"></div></main>
<script src="https://unpkg.com/leaflet@1.9.4/dist/leaflet.js"></script>
<script>L.map('map');</script>`;
  const { problems } = await lookAtProject({ name: 'map', files: { 'index.html': page('Map', map) } });
  expect(problems).toEqual([
    {
      kind: 'error',
      message:
        'Uncaught ReferenceError: L is not defined (https://unpkg.com/leaflet@1.9.4/dist/leaflet.js was not loaded)',
      path: 'index.html',
      line: expect.any(Number),
      column: expect.any(Number),
    },
  ]);
});

it('takes a page whose frames are slow to draw for slow, and not for one that hangs', async () => {
  const body = `<main><h1>Scene</h1><p id="frames">0</p></main><script>
  let frames = 0;
  const draw = () => {
    const begun = Date.now();
    while (Date.now() - begun < 400);
    frames++;
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
</script>`;
  expect(await linesOf('scene', { 'index.html': page('Scene', body) })).toEqual([]);
});

it('judges no layout of a page whose style is elsewhere', async () => {
  const body = `<main><h1>Prices</h1><div class="row" style="width: 600px">From 5 €</div>
<p class="text-white" style="background: white; color: #ddd">White on a dark card of Bootstrap</p></main>`;
  const sheet = (href: string) => `<link rel="stylesheet" href="${href}">`;
  const kinds = async (head: string) => {
    const html = page('Prices', body).replace('<title>', `${head}<title>`);
    const { problems } = await lookAtProject({ name: 'prices', files: { 'index.html': html } });
    return problems.map(({ kind }) => kind);
  };
  expect(await kinds(sheet('https://cdn.jsdelivr.net/npm/bootstrap@5.3.3/dist/css/bootstrap.min.css'))).toEqual([]);
  expect(await kinds(sheet('https://fonts.googleapis.com/css2?family=Inter'))).toEqual(['wide', 'accessibility']);
});

it('reports a button that no script listens to, and none that is heard anywhere', async () => {
  const button = (id: string) => `<button id="${id}">The ${id}</button>`;
  const dead = (script: string, ...ids: readonly string[]) =>
    linesOf('buttons', {
      'index.html': page('B', `<main><h1>B</h1>${ids.map(button).join('')}</main><script>${script}</script>`),
    });
  const own = `first.onclick = () => { first.dataset.on = 'yes'; };
    second.addEventListener('pointerdown', () => { second.dataset.on = 'yes'; });`;
  expect(await dead(own, 'first', 'second', 'third')).toEqual([
    'The button "The third" does nothing: no script listens to it',
  ]);
  expect(await dead(`document.addEventListener('click', () => {});`, 'first')).toEqual([]);
  expect(await dead(`document.querySelector('main').onkeyup = () => {};`, 'first')).toEqual([]);
});
