import { page } from '../../support/looks/project.ts';
import { lookAtProject } from '../../support/looks/verdicts.ts';

const NAV = `<header><nav><a href="/">Home</a> <a href="about.html#team">About</a> <a href="menu.html">Menu</a></nav></header>
<script src="shared.js"></script>`;
const WIDE = '<h1 style="width: 700px">About us</h1>';

/** A view that is wider than a phone. */
const ROOMS = `<script>
addEventListener('hashchange', () => {
  if (location.hash === '#/rooms') document.querySelector('main').innerHTML = '<p style="width: 600px">Rooms</p>';
});
</script>`;

/** Shows nothing without an id. */
const DISH = `<main></main><script>
const dishes = { 7: { name: 'Soup' } };
document.querySelector('main').textContent = dishes[new URLSearchParams(location.search).get('id')].name;
</script>`;

it('opens every page of a site once, as visitors do, and names it in what it finds', async () => {
  const files = {
    'index.html': page(
      'Inn',
      `${NAV}<main><h1>Inn</h1><a href="dish.html?id=7">Soup</a> <a href="#/rooms">Rooms</a></main>${ROOMS}`,
    ),
    'about.html': page('About', `${NAV}<main>${WIDE}</main>`),
    'menu.html': page('Menu', `${NAV}<main></main>`),
    'dish.html': page('Dish', `${NAV}${DISH}`),
    // No link tells with which id.
    'print.html': page('Print', DISH),
    'orders.html': page('Orders', `${NAV}<main><h1>Orders</h1></main><script>orders.show();</script>`),
    'tests/index.html': page('Tests', '<script>throw new Error("Test")</script>'),
    'shared.js': 'console.error("Shared");\n',
  };
  const { problems } = await lookAtProject({ name: 'inn', files });
  expect(problems).toEqual([
    {
      kind: 'blank',
      message: 'The page shows nothing between its header and its footer: <main> is empty',
      path: 'menu.html',
    },
    {
      kind: 'error',
      message: 'Uncaught ReferenceError: orders is not defined',
      path: 'orders.html',
      line: expect.any(Number),
      column: expect.any(Number),
    },
    { kind: 'console', message: 'Console: Shared', path: 'shared.js', line: 1, column: 9 },
    {
      kind: 'wide',
      message: expect.stringMatching(/<p style="width: 600px"> sticks out, at #\/rooms$/),
      width: 390,
    },
    {
      kind: 'wide',
      message: expect.stringMatching(/^The page scrolls sideways on a phone.*<h1 style="width: 700px"> sticks out/),
      path: 'about.html',
      width: 390,
    },
  ]);
});
