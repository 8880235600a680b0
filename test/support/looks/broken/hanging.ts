import { type BrokenProject, broken } from '../project.ts';

const STYLE = `<style>
  body { font: 1rem/1.6 sans-serif; margin: 0; padding: 1rem; background: #faf5ff; color: #3b0764; }
</style>`;

/** Pages that stop responding, or go elsewhere. */
export const HANGING: readonly BrokenProject[] = [
  broken(
    'a minefield that is laid in an endless loop, by rules that are text',
    { kinds: ['hung'], message: /./, blocking: true },
    'Mines',
    `<h1>Mines</h1><div id="field"></div><script src="mines.js"></script>`,
    STYLE,
    {
      'mines.js': `const size = 3;
const mines = new Set();
const rules = 'while (mines.size < 10) mines.add(Math.floor(Math.random() * size * size));';
setTimeout(new Function('mines', 'size', rules), 100, mines, size);
`,
    },
  ),
  broken(
    'a dice roller that loops without an end after a click',
    { kinds: ['hung'], message: /"Roll the die"/ },
    'Dice',
    `<h1>Dice</h1><p id="roll">Roll a seven with one die.</p><button id="go">Roll the die</button><script src="dice.js"></script>`,
    STYLE,
    {
      'dice.js': `document.getElementById('go').addEventListener('click', () => {
  let roll = 0;
  while (roll !== 7) roll = 1 + Math.floor(Math.random() * 6);
  document.getElementById('roll').textContent = 'You rolled ' + roll;
});
`,
    },
  ),
  broken(
    'a reminder that never stops to alert',
    { kinds: ['hung', 'error'], message: /dialog|alert/i },
    'Water',
    `<h1>Drink water</h1><p>This page reminds you.</p><script src="remind.js"></script>`,
    STYLE,
    {
      'remind.js': `function remind() {
  alert('Time to drink a glass of water!');
  setTimeout(remind, 0);
}
setTimeout(remind, 0);
`,
    },
  ),
  broken(
    'a dashboard that sends its visitors to a login elsewhere',
    { kinds: ['left'], message: /login\.example\.com/ },
    'Admin',
    `<h1>Admin</h1><p>12 orders are waiting.</p><script src="auth.js"></script>`,
    STYLE,
    {
      'auth.js': `if (!sessionStorage.getItem('token')) {
  window.location.href = 'https://login.example.com/?next=admin';
}
`,
    },
  ),
];
