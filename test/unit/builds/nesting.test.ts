import {
  finishStyles,
  optimizeTailwind,
  requireShallowNesting,
  syntaxProblem,
} from '../../../lambda/builds/styles/lightning.ts';
import { testRows } from '../../support/rows.ts';

/** Returns a rule in itself. */
const nested = (selectors: string, levels: number, body = 'color:red') =>
  `${selectors}{`.repeat(levels) + body + '}'.repeat(levels);

const BOMBS = [
  nested('.a,.b', 30),
  nested('& + &', 28),
  `.a{${nested('&:hover &', 40)}}`,
  nested(':is(&,&)', 40),
  nested('.a,/* , */.b', 40),
  nested('.\\,,.\\{', 40),
  nested('[a="{"],[b=\'}\']', 40),
  `${'.a,.b{@media (min-width:1px){'.repeat(30)}color:red${'}}'.repeat(30)}`,
  nested('@layer x{.a,.b', 30, 'color:red') + '}'.repeat(30),
  // Long selectors of a rule that is written again for each part of it.
  nested('.a,.b', 16, '.c{color:red}color:blue;'.repeat(2_000)),
  nested('.a,.b', 16, '@media print{color:red}'.repeat(2_000)),
];

testRows(BOMBS)('refuses nesting that would multiply selectors, at each step that flattens it', (css) => {
  const problem = {
    path: 'a.css',
    line: 2,
    message: expect.stringContaining('nested selectors are too long'),
  };
  expect(syntaxProblem('a.css', `\n${css}`)?.problems).toMatchObject([problem]);
  expect(() => finishStyles(css, true, false)).toThrow('nested selectors are too long');
  expect(() => finishStyles(css, true, true)).toThrow('nested selectors are too long');
  expect(() => optimizeTailwind(css, true)).toThrow('nested selectors are too long');
});

const HIDDEN = nested('.a,.b', 30);

testRows([
  `a{b:url(a\\)" )}${HIDDEN}c{d:"}"}`,
  `a{b:\\66 url(a") ; b:")}${HIDDEN}`,
  `a{b:u\\72l(a"b)}${HIDDEN}c{d:"}`,
  `a{b:"\n}${HIDDEN}c{d:"}`,
  `a{b:url(a"b)}${HIDDEN}c{d:"}`,
  `a{--b:{;"]"}}${HIDDEN}`,
])('is not deceived by what is no rule', (css) => {
  let flat = 0;
  for (const lenient of [false, true])
    try {
      flat = Math.max(flat, finishStyles(css, true, lenient).length);
    } catch {}
  expect(flat).toBeLessThan(1_000);
  expect(() => finishStyles(css, true, true)).toThrow('nested selectors are too long');
});

testRows([
  nested('.a', 100),
  nested('.a,.b,.c', 6),
  nested('&:hover,&:focus-visible', 8),
  nested('& + &', 10),
  nested(':is(h1,h2,h3,h4,h5,h6)', 40),
  '.a{&:hover{@media (hover:hover){color:red}}}'.repeat(20_000),
  '.a{color:red;background:url(data:image/svg+xml;utf8,{&,&})}',
])('accepts nesting as people write it, and flattens it', (css) => {
  expect(() => requireShallowNesting('a.css', css)).not.toThrow();
  expect(finishStyles(css, true, false).length).toBeLessThan(8 * css.length + 500_000);
});
