import { type SoundProject, site } from '../project.ts';

const STYLE = `<style>
  * { box-sizing: border-box; }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: #f1f5f9; color: #0f172a; }
  main { max-width: 40rem; margin: 0 auto; padding: 1rem; }
  button, input, select { font: inherit; padding: 0.4rem 0.7rem; }
</style>`;

/** Small applications that use what a browser may refuse. */
export const TOOLS: readonly SoundProject[] = [
  site(
    'a to-do list that asks before it deletes',
    'Todo',
    `<main><h1>Todo</h1>
<form id="add"><label for="text">New task</label> <input id="text" required> <button>Add</button></form>
<ul id="list"></ul><button id="clear">Delete all</button></main>
<script src="todo.js"></script>`,
    STYLE,
    {
      'todo.js': `const todos = JSON.parse(localStorage.getItem('todos') ?? '["Buy milk"]');
const list = document.getElementById('list');
function save() {
  localStorage.setItem('todos', JSON.stringify(todos));
  list.replaceChildren(...todos.map((text, index) => {
    const li = document.createElement('li');
    const remove = document.createElement('button');
    remove.textContent = 'Delete';
    remove.setAttribute('aria-label', 'Delete ' + text);
    remove.onclick = () => { if (confirm('Delete "' + text + '"?')) { todos.splice(index, 1); save(); } };
    li.append(text, ' ', remove);
    return li;
  }));
}
document.getElementById('add').onsubmit = (event) => {
  event.preventDefault();
  todos.push(document.getElementById('text').value);
  event.target.reset();
  save();
};
document.getElementById('clear').onclick = () => {
  if (!confirm('Delete all tasks?')) return;
  todos.length = 0;
  save();
};
save();
`,
    },
  ),
  site(
    'a configurator that reads a broken storage with care',
    'Bike',
    `<main><h1>Your bike</h1><p id="saved"></p><label>Color <select id="color"><option>red</option><option>blue</option></select></label></main>
<script>
  localStorage.setItem('bike', '{broken');
  let bike = { color: 'red' };
  try { bike = JSON.parse(localStorage.getItem('bike')); } catch (error) { console.warn('The stored bike is invalid', error); }
  const show = () => { document.getElementById('saved').textContent = 'A ' + bike.color + ' bike'; };
  document.getElementById('color').onchange = (event) => { bike.color = event.target.value; show(); };
  console.info('Bike ready'); console.debug('debug', bike); console.table([bike]);
  show();
</script>`,
    STYLE,
  ),
  site(
    'a search that aborts its earlier requests',
    'Book finder',
    `<main><h1>Book finder</h1><label>Title <input id="query" type="search"></label><ul id="books"></ul></main><script type="module" src="search.js"></script>`,
    STYLE,
    {
      'books.json': '["Dune", "Emma", "Ulysses", "Middlemarch"]\n',
      'search.js': `let controller;
async function search(query) {
  controller?.abort();
  controller = new AbortController();
  try {
    const response = await fetch('books.json?q=' + encodeURIComponent(query), { signal: controller.signal });
    const books = await response.json();
    const found = books.filter((book) => book.toLowerCase().includes(query.toLowerCase()));
    document.getElementById('books').innerHTML = found.map((book) => '<li>' + book + '</li>').join('');
  } catch (error) {
    if (error.name !== 'AbortError') throw error;
  }
}
document.getElementById('query').addEventListener('input', (event) => search(event.target.value));
search('');
`,
    },
  ),
  site(
    'a note that is copied, shared and printed',
    'Note',
    `<main><h1>Note</h1><label for="note">Text</label><br><textarea id="note" rows="4">Remember the keys</textarea>
<p><button id="copy">Copy</button> <button id="share">Share</button> <button onclick="window.print()">Print</button></p><p role="status" id="status"></p></main>
<script>
  const say = (text) => { document.getElementById('status').textContent = text; };
  const note = document.getElementById('note');
  document.getElementById('copy').onclick = () => navigator.clipboard.writeText(note.value).then(() => say('Copied'), () => { note.select(); say('Press Ctrl+C to copy'); });
  document.getElementById('share').onclick = async () => {
    try { await navigator.share({ text: note.value }); } catch { say('Sharing is not available here'); }
  };
</script>`,
    STYLE,
  ),
  site(
    'a compass that copes without a position',
    'Near me',
    `<main><h1>Near me</h1><p id="place">Where are you?</p><button id="locate">Use my position</button> <button id="notify">Notify me</button></main>
<script>
  const place = document.getElementById('place');
  document.getElementById('locate').onclick = () => {
    if (!('geolocation' in navigator)) { place.textContent = 'No positions here'; return; }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => { place.textContent = coords.latitude.toFixed(2) + ', ' + coords.longitude.toFixed(2); },
      (error) => { place.textContent = 'Your position is unknown: ' + error.message; },
    );
  };
  document.getElementById('notify').onclick = async () => {
    const permission = 'Notification' in window ? await Notification.requestPermission() : 'denied';
    place.textContent = permission === 'granted' ? 'You will be notified' : 'Notifications are off';
  };
</script>`,
    STYLE,
  ),
  site(
    'a reader that works offline',
    'Reader',
    `<main><h1>Reader</h1><article><h2>Chapter 1</h2><p>It was a bright cold day in April.</p></article></main>
<script>
  if ('serviceWorker' in navigator) {
    navigator.serviceWorker.register('sw.js').catch((error) => console.warn('Offline use is off:', error.message));
  }
</script>`,
    STYLE,
    {
      'sw.js': `self.addEventListener('fetch', (event) => event.respondWith(caches.match(event.request).then((hit) => hit || fetch(event.request))));
`,
    },
  ),
  site(
    'a table that is downloaded and read from files',
    'Points',
    `<main><h1>Points</h1><p id="info">2 rows</p><p><label>Import CSV <input id="file" type="file" accept=".csv"></label></p><button id="save">Download CSV</button></main>
<script>
  let rows = [['Ada', 3], ['Bo', 5]];
  document.getElementById('save').onclick = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([rows.map((row) => row.join(',')).join('\\n')], { type: 'text/csv' }));
    link.download = 'points.csv';
    link.click();
    URL.revokeObjectURL(link.href);
  };
  document.getElementById('file').onchange = async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    rows = (await file.text()).trim().split('\\n').map((line) => line.split(','));
    document.getElementById('info').textContent = rows.length + ' rows';
  };
</script>`,
    STYLE,
  ),
  site(
    'a form that refuses what is invalid',
    'Sign up',
    `<main><h1>Sign up</h1>
<form id="form" novalidate>
  <p><label>Email <input name="email" type="email" required aria-describedby="problem"></label></p>
  <p><label>Password <input name="password" type="password" minlength="12" required></label></p>
  <p><label><input type="checkbox" name="terms" required> I accept the terms</label></p>
  <button>Create account</button>
  <p id="problem" role="alert"></p>
</form></main>
<script>
  document.getElementById('form').addEventListener('submit', (event) => {
    event.preventDefault();
    const invalid = event.target.querySelector(':invalid');
    const problem = document.getElementById('problem');
    problem.textContent = invalid ? invalid.name + ': ' + invalid.validationMessage : 'Account created';
    invalid?.focus();
  });
</script>`,
    STYLE,
  ),
  site(
    'an account that one can leave',
    'Account',
    `<main id="account"><h1>Hello, Sam</h1><p>Your plan: Basic</p><button id="logout">Log out</button> <button id="close">Close account</button></main>
<main id="login" hidden><h1>Log in</h1><form id="form"><label>Name <input name="name"></label> <button>Log in</button></form></main>
<script>
  const show = (account) => {
    document.getElementById('account').hidden = !account;
    document.getElementById('login').hidden = account;
  };
  document.getElementById('logout').onclick = () => { sessionStorage.clear(); show(false); };
  document.getElementById('close').onclick = () => { if (prompt('Type CLOSE to confirm') === 'CLOSE') show(false); };
  document.getElementById('form').onsubmit = (event) => { event.preventDefault(); show(true); };
</script>`,
    STYLE,
  ),
  site(
    'a board whose cards are dragged',
    'Board',
    `<main><h1>Board</h1><section class="column" data-name="todo"><h2>To do</h2><p class="card" draggable="true" tabindex="0">Write report</p></section><section class="column" data-name="done"><h2>Done</h2></section></main>
<script type="module">
  let dragged;
  for (const card of document.querySelectorAll('.card')) {
    card.addEventListener('dragstart', () => { dragged = card; });
    card.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') document.querySelector('[data-name="done"]').append(card);
    });
  }
  for (const column of document.querySelectorAll('.column')) {
    column.addEventListener('dragover', (event) => event.preventDefault());
    column.addEventListener('drop', () => { if (dragged) column.append(dragged); });
  }
</script>`,
    STYLE.replace('</style>', '.column { background: #fff; padding: 1rem; margin: 1rem 0; }</style>'),
  ),
];
