import { claimsOf } from '../../../../lambda/generation/problems/claims.ts';
import { testRows } from '../../../support/rows.ts';

const SAID = 'is an example that the page shows as a fact';

testRows<[path: string, content: string, claims: string[]]>([
  ['index.html', '<p data-example>22 of 30 places left</p>', ['"22 of 30 places left"']],
  ['index.html', '<p data-example><b>4.8</b> of 5 <br>stars</p><p>7</p>', ['"4.8 of 5 stars"']],
  ['index.html', '<b data-example="">12</b> of <b data-example>30</b>', ['"12"', '"30"']],
  ['index.html', '<input data-example value="17"><p>Later 3</p>', ['"17"']],
  ['index.html', '<p>22 of 30 places left</p><!-- <p data-example>1</p> -->', []],
  // Names and texts of examples are no claims.
  ['index.html', '<q data-example>A wonderful place</q>', []],
  ['index.html', `<p data-example>${'1 vote '.repeat(20)}</p>`, [`"${'1 vote '.repeat(20).slice(0, 60)}…"`]],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of a script
  ['src/app.js', 'box.innerHTML = `<b data-example>${left} of 30 places</b>`;', ['"… of 30 places"']],
  ['src/App.tsx', '<strong className="n" data-example>1,204 visitors</strong>', ['"1,204 visitors"']],
  ['src/app.js', "element.querySelector('[data-example]')", []],
  ['README.md', '<b data-example>12</b>', []],
])('names the numbers that a project marks as invented', (path, content, claims) => {
  expect(claimsOf(new Map([[path, content]]))).toEqual(claims.map((claim) => `${path}: ${claim} ${SAID}`));
});
