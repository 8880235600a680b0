import fc from 'fast-check';
import { compose } from '../../../../blueprints/engine/compose.ts';
import { DURATIONS } from '../../../../lambda/contract/generate.ts';
import { notesOf, problemsOf } from '../../../../lambda/generation/problems.ts';
import { linearTime, repeated } from '../../../support/linear-time.ts';
import { testRows } from '../../../support/rows.ts';
import { runs, SOAK } from '../../../support/soak.ts';
import { anyCharacter } from '../../../support/unicode.ts';
import { CHOICES } from '../../blueprints/prompts.ts';

type Files = Readonly<Record<string, string>>;

/** A prompt for each kind of starter. */
const PROMPTS = [...new Map(CHOICES.map(([prompt, kind]) => [kind, prompt])).values()];

const PAGE = '<!doctype html>\n<title>Page</title>\n';
const problems = (files: Files) => problemsOf(Object.entries(files).map(([path, content]) => ({ path, content })));
const messages = (files: Files) => problems(files).map(({ path, message }) => `${path}: ${message}`);
/** Returns the problems of a flawless page with one more file. */
const wrong = (path: string, content: string) => messages({ 'index.html': PAGE, [path]: content });

describe('finds omitted code', () => {
  testRows([
    ['a.js', '// rest of the code here'],
    ['a.js', '// ... rest of the code'],
    ['a.js', '// ...rest of your existing code remains unchanged...'],
    ['a.js', '// Rest of the implementation stays the same'],
    ['a.js', '  // … remaining methods …'],
    ['a.js', '// ... existing code ...'],
    ['a.js', '/* ... existing code ... */'],
    ['a.js', '/* existing code... */'],
    ['a.js', '// (rest of the functions unchanged)'],
    ['a.js', '// ... other event listeners'],
    ['a.js', '// ... and the other handlers'],
    ['a.js', '// ...'],
    ['a.js', 'function f() {\n  ...\n}'],
    ['a.js', '// TODO: implement'],
    ['a.js', '// TODO: implement the search'],
    ['a.js', '// TODO implement'],
    ['a.js', '// TODO: Add your logic here'],
    ['a.js', '// FIXME: finish this'],
    ['a.js', '// Add your code here'],
    ['a.js', '// Your code here'],
    ['a.js', '// your game logic goes here'],
    ['a.js', '// Implementation goes here'],
    ['a.js', '// implement me'],
    ['a.js', '// Not implemented yet.'],
    ['a.js', '// placeholder implementation'],
    ['a.js', '// ... (omitted for brevity)'],
    ['a.js', '// The other cases are left out for brevity'],
    ['a.js', '// More questions here...'],
    ['a.js', 'const list = [\n  1,\n  // ... more items\n];'],
    ['a.jsx', 'const a = <ul>{/* more items here */}</ul>;'],
    ['a.ts', '/*\n * ... rest of the file\n */'],
    ['a.css', '/* ... existing styles ... */'],
    ['a.css', '/* Add more styles here */'],
    ['a.html', '<!doctype html>\n<!-- more items here -->'],
    ['a.html', '<!doctype html>\n<!-- ... -->'],
    ['a.html', '<!doctype html>\n<!-- Additional sections go here -->'],
    ['a.html', '<!doctype html>\n<script>\n// rest of the code goes here\n</script>'],
    ['a.html', '<!doctype html>\n<style>\n/* ...rest of styles */\n</style>'],
    ['a.py', '# ... unchanged'],
    ['a.py', 'def f():\n    pass  # TODO'],
    ['a.py', 'def f():\n    ...\n'],
    ['a.go', '// ... existing imports'],
    ['a.yml', '# ... other steps'],
    ['a.sql', '-- ... more rows'],
  ])('in every language and spelling', (path, content) => {
    expect(wrong(path, content)).toEqual([
      expect.stringMatching(`^${path}: Line \\d+ is a placeholder for omitted code: `),
    ]);
  });

  testRows([
    ['a.js', '// The rest of the items are hidden until the list is open'],
    ['a.js', '// shared with the rest of the code'],
    ['a.js', '// works with\n// existing code'],
    ['a.js', '// Merge with the existing styles, so that they stay'],
    ['a.js', '// returns the input unchanged'],
    ['a.js', '// Only the first one counts,\n// ...and the rest waits for its turn'],
    ['a.js', '// A todo: implemented as an entry with a title'],
    ['a.js', '// Add a todo item to the list'],
    ['a.js', '// TODO list storage'],
    ['a.js', '// Your API key goes here'],
    ['a.js', '// Clicking here adds more items'],
    ['a.js', '// No items here yet'],
    ['a.js', '// Placeholder text of the input'],
    ['a.js', '// More about this: see README'],
    ['a.js', 'f(...args);'],
    ['a.js', 'const a = {\n  ...rest,\n  ...existing\n};'],
    ['a.js', 'const a = [\n  ...\n  items\n];'.replace('...\n  items', '...items')],
    ['a.js', "const s = '// rest of the code here';"],
    ['a.js', 'const s = `\n// rest of the code here\n...\n`;'],
    ['a.js', 'const r = /\\/\\/ rest of the code here/;'],
    ['a.js', '/**\n * @example\n * load(\n *   ...\n * )\n */'],
    ['a.js', '// https://example.com/your-code-here/x'],
    ['a.js', 'label.textContent = "Loading...";'],
    ['a.css', 'input::placeholder { color: gray } /* placeholder */'],
    ['a.css', 'a::after { content: "/* ... */" }'],
    ['a.css', '/* Other buttons keep the colour of their text */'],
    ['a.html', '<!doctype html><input placeholder="Add your code here">'],
    ['a.html', '<!doctype html><p>more items here</p><p>...</p>'],
    ['a.html', '<!doctype html><!-- The list: more items are added by script -->'],
    ['a.html', '<!doctype html><pre>// rest of the code here</pre>'],
    ['a.py', 'def f(*args):\n    """Shows ... more."""\n    return args'],
    ['a.py', 'class Store(Protocol):\n    def get(self) -> str:\n        ...\n'],
    ['a.py', 'x = a[..., 0]'],
    ['a.sh', 'echo "# rest of the code here"'],
    ['a.yml', 'a: 1\n...\n'],
    ['README.md', '# Notes\n\n// ... rest of the code\n\nTODO: implement\n\n...\n'],
    ['notes.txt', '... rest of the code here'],
    ['a.json', '{ "a": "// rest of the code here" }'],
  ])('but not in text that resembles it', (path, content) => expect(wrong(path, content)).toEqual([]));

  it('with its line', () => {
    const html = '<!doctype html>\n<style>\n\n/* ... */</style>\n<script>\nf();\n  // Your code here\n</script>\n';
    expect(messages({ 'index.html': html })).toEqual([
      'index.html: Line 4 is a placeholder for omitted code: /* ... */',
      'index.html: Line 7 is a placeholder for omitted code: // Your code here',
    ]);
  });
});

describe('finds empty and invalid files', () => {
  const links = `${PAGE}<link rel="stylesheet" href="a.css"><script src="a.js"></script>`;

  testRows<[Files, string[]]>([
    [{ 'index.html': ' \n' }, ['index.html: The file is empty']],
    [{ 'index.html': PAGE, 'a.json': '' }, ['a.json: The file is empty']],
    [{ 'index.html': links, 'a.css': '\n', 'a.js': '' }, ['a.css: The file is empty', 'a.js: The file is empty']],
    [{ 'index.html': PAGE, 'a.css': '', 'a.js': '' }, []],
    [{ 'index.html': PAGE, '.gitkeep': '', 'pkg/__init__.py': '', 'notes.txt': '' }, []],
  ])('with their paths', (files, expected) => expect(messages(files)).toEqual(expected));

  testRows([
    ['a.json', '{"a": 1}\n', true],
    ['a.json', '{"a": 1,}', false],
    ['a.json', '// data\n{}', false],
    ['app.webmanifest', '{', false],
    ['tsconfig.json', '// comment\n{ "strict": true, }', true],
    ['.vscode/settings.json', '{ /* comment */ }', true],
    ['a.jsonl', '{}\n{}\n', true],
  ])('such as JSON that does not parse', (path, content, fine) => {
    const expected = fine ? [] : [expect.stringContaining(`${path}: The JSON does not parse: SyntaxError: `)];
    expect(wrong(path, content)).toEqual(expected);
  });
});

describe('finds a missing page', () => {
  const missing = [{ path: 'index.html', message: 'The project has no index.html' }];

  testRows<[Files, boolean]>([
    [{ 'style.css': 'p {}', 'README.md': '# X' }, true],
    [{ 'app.js': 'document.title = "X";' }, true],
    [{ 'app.js': '// document.title\nconsole.log("document.title");' }, false],
    [{ 'app.js': 'document.title = "X";', 'package.json': '{ "main": "app.js" }' }, false],
    [{ 'app.js': 'document.title = "X";', 'package.json': '{ "scripts": { "test": "node --test" } }' }, true],
    [{ 'style.css': 'p {}', 'app.py': 'print(1)' }, false],
    [{ 'style.css': 'p {}', 'server.js': "require('http').createServer();" }, false],
    [{ 'style.css': 'p {}', 'home.html': PAGE }, false],
    [{ 'README.md': '# X' }, false],
    [{}, false],
  ])('unless the project has one', (files, expected) => expect(problems(files)).toEqual(expected ? missing : []));
});

describe('all problems', () => {
  it('are in the order of the files, each once, and at most 40', () => {
    const links = Array.from({ length: 60 }, (_, i) => `<a href="${i % 50}.html"></a>`).join('');
    const found = problems({ 'b.html': '<!doctype html><a href="x.html"></a>', 'a.html': PAGE + links });
    expect(found).toHaveLength(40);
    expect(found.slice(0, 3)).toEqual([
      { path: 'b.html', message: '"x.html" refers to a missing file' },
      { path: 'a.html', message: '"0.html" refers to a missing file' },
      { path: 'a.html', message: '"1.html" refers to a missing file' },
    ]);
  });

  testRows(SOAK ? PROMPTS : PROMPTS.slice(0, 4))('are none in a starter', (prompt) => {
    for (const duration of SOAK ? DURATIONS : (['auto', '10min'] as const)) {
      expect(problemsOf(compose(prompt, duration))).toEqual([]);
    }
  });

  it('are found when a script or a style sheet of a project is missing', () => {
    const files = compose('a pomodoro timer', '10min');
    const parts = files.filter(({ path }) => /\.(?:css|js)$/.test(path) && !path.startsWith('test/'));
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) {
      const rest = problemsOf(files.filter((file) => file !== part)).map(({ message }) => message);
      expect(rest).toContainEqual(expect.stringContaining(part.path.slice(part.path.lastIndexOf('/'))));
    }
  });

  it('are found in any files without throwing', () => {
    const path = fc.constantFrom('index.html', 'a.js', 'b.tsx', 'c.css', 'd.json', 'e.py', 'package.json');
    const piece = fc.constantFrom(
      'import ',
      '"./x"',
      "'",
      '`',
      '${',
      '}',
      '{',
      '(',
      ')',
      '/',
      '*/',
      '/*',
      '//',
      '\n',
      '\\',
      'url(',

      '<a href="x">',
      '<script>',
      '</script>',
      '<style>',
      '<!--',
      '-->',
      '@import ',
      '...',
      '%',
      '<base href="::">',
    );
    const content = fc.array(fc.oneof(piece, fc.string({ unit: anyCharacter })), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(fc.tuple(path, content), { maxLength: 6 }), (files) => {
        problemsOf(files.map(([name, parts]) => ({ path: name, content: parts.join('') })));
      }),
      { numRuns: runs(1_000) },
    );
  });
});

describe('checks large files in linear time', () => {
  const inLinearTime = linearTime(() =>
    problems({
      'a.js': repeated('const total = items.reduce((sum, item) => sum + item.price, 0); // the sum\n'),
    }),
  );

  testRows([
    ['a.js', '=/['],
    ['a.js', '/*'],
    ['a.js', '`${'],
    ['a.js', "'\\"],
    ['a.js', 'a-`'],
    ['a.js', '"a-"+'],
    ['a.js', '// ... '],
    ['a.js', '// a\n'],
    ['a.js', '// ... existing code\n'],
    ['a.js', 'import a '],
    ['a.js', 'collection<'],
    ['a.js', 'import("./a.js"),'],
    ['a.js', 'x'],
    ['a.js', '"a",'],
    ['a.js', 'import { a, '],
    ['a.js', 'import { a } from "./a.js";'],
    ['a.js', 'export const { a, '],
    ['a.js', 'export { a as b };'],
    ['a.css', 'url('],
    ['a.css', '@import '],
    ['a.css', '"\\"'],
    ['a.html', '<a href=x></a>'],
    ['a.html', '<a '],
    ['a.html', '<script>document.getElementById("a")</script>'],
    ['a.html', '<!--'],
    ['a.html', '<script>'],
    ['a.html', "<img srcset='"],
    ['a.html', '<script type="importmap">{"imports": {"'],
    ['a.html', '<p>text</p>\n'],
    ['a.py', '# ... the same code\n'],
    ['a.py', ' '],
    ['a.json', '['],
  ])('of every type', (path, unit) => inLinearTime(() => problems({ [path]: repeated(unit) })));

  it('a.html: unclosed elements', () => {
    const content = `<a href="x"></a>${'<div>'.repeat(500)}<a href="y"></a>${'<div>'.repeat(110_000)}${'</p>'.repeat(110_000)}`;
    inLinearTime(() => expect(problems({ 'a.html': content })).toHaveLength(2));
  });
});

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
  expect(notesOf(new Map([[path, content]]))).toEqual(claims.map((claim) => `${path}: ${claim} ${SAID}`));
});
