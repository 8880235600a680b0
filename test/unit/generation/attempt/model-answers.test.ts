import fc from 'fast-check';
import { OutputParser } from '../../../../lambda/generation/attempt/answer/output-parser.ts';
import { attemptsOf } from '../../../../lambda/generation/generation-log.ts';
import { instructionsFor } from '../../../../lambda/generation/instructions.ts';
import { REQUEST } from '../../../support/attempt-request.ts';
import { startStores } from '../../../support/generation.ts';
import { testRows } from '../../../support/rows.ts';
import { runs } from '../../../support/soak.ts';
import { type Writing, writeAnswers } from '../../../support/written-projects.ts';

const PAGE = '<!doctype html>\n<title>Clock</title>\n<p>12:00</p>\n';
const SCRIPT = 'tick();\n';
const PROJECT: Readonly<Record<string, string>> = { 'index.html': PAGE, 'src/app.js': SCRIPT };
const block = (path: string, content: string) => `<file path="${path}">\n${content}</file>\n`;
const FILES = Object.entries(PROJECT)
  .map(([path, content]) => block(path, content))
  .join('');
const WHOLE = `${FILES}<done/>`;
const DRAFT = '<file path="draft.html">\n<p>not this one</p>\n</file>\n';
/** A plan in which each file is a group. */
const planned = (paths: readonly string[]) =>
  `<plan>\n${paths.map((path, at) => `${at + 1} ${path}: its purpose`).join('\n')}\n</plan>\n`;
const PLAN = planned(Object.keys(PROJECT));
const DRAFT_PLAN = planned(['draft.html', 'other.html']);
const SYSTEM = instructionsFor({ ...REQUEST, parallel: 4 }).system;

/** Parses an answer in chunks of a size. */
function parse(answer: string, size = answer.length, before: readonly { path: string; content: string }[] = []) {
  const parser = new OutputParser(before);
  for (let at = 0; at < answer.length; at += size) parser.feed(answer.slice(at, at + size));
  parser.end();
  const files = Object.fromEntries(Array.from(parser.files.values(), (file) => [file.path, file.content]));
  return { files, done: parser.done, rejected: [...parser.rejected.keys()] };
}

const COMPLETE = { files: PROJECT, done: true, rejected: [] };

testRows([
  `<think>\nAt the end I write\n<done/>\n</think>\n${WHOLE}`,
  ...['<think>|</think>', '<thinking>|</thinking>', '[THINK]|[/THINK]', '◁think▷|◁/think▷'].map((tags) =>
    tags.replace('|', `\n${DRAFT}<done/>\nNot good enough.\n`).concat(`\n${WHOLE}`),
  ),
  `<think>short</think>${WHOLE}`,
  `<think>\nThe marker \`</think>\` ends it.\n${DRAFT}</think>\n\n${WHOLE}`,
  `A draft:\n${DRAFT}<done/>\nBetter with a style.\n</think>\n${WHOLE}`,
  `<plan>\n1 draft.html: no\n</plan>\n${DRAFT}So I begin.</think>\n${WHOLE}`,
  `A draft:\n<file path="draft.html">\n<p>not\n</think>\n${WHOLE}`,
  `<|channel|>analysis<|message|>${DRAFT}<done/>\n<|end|><|start|>assistant<|channel|>final<|message|>\n${WHOLE}`,
  `analysisA draft:\n${DRAFT}<done/>\nBetter with a style.assistantfinal${WHOLE}`,
  `\`\`\`\n<file path="src/app.js">\nthe content of the file, exactly as it is\n</file>\n\`\`\`\n<done/>\n${WHOLE}`,
  `${SYSTEM}\n\n${WHOLE}`,
  `Here is your project: ${WHOLE}`,
  `</think>${WHOLE}`,
  `<|channel|>final<|message|>${WHOLE}`,
  `<|im_start|>${WHOLE}<|im_end|>`,
  `${WHOLE}<|return|>`,
  `${WHOLE}\n<｜end▁of▁sentence｜>`,
  `${FILES}All files are written. <done/>`,
  `I put each file between <file path="name"> and </file>, as you asked.\n${WHOLE}\nI wrote no <file path="x">`,
  `I end with <done/>\n${WHOLE}`,
  WHOLE.replace('<file path="src', 'Next the script. <think>\nwhat now\n</think>\n<file path="src'),
  WHOLE.replace('<file path="src', 'Ok <think>hm</think>\n<file path="src'),
  `<|channel>thought\n${DRAFT}<done/>\n<channel|>${WHOLE}<turn|>`,
  `${WHOLE}</answer>`,
  `${WHOLE}.`,
  `${WHOLE} The project is complete.`,
  `${WHOLE}<|endoftext|>Human: hi`,
  `I put each file behind a line like <file path="name">\nHere it is:\n${WHOLE}`,
  `${WHOLE}\n</think>\nThe project is above:\n- <file path="index.html">\n`,
  `${FILES.slice(0, FILES.lastIndexOf('</file>'))}<done/>\n`,
  `<file path="../src/app.js">\nold\n</file>\n${WHOLE}`,
  WHOLE.replace('</p>\n</file>', '</p>\n</file><|im_end|>'),
])('finds the project in an answer with thoughts, examples and tokens, in pieces of any size', (answer) => {
  for (const size of [answer.length, 1, 7]) expect(parse(answer, size)).toEqual(COMPLETE);
});

testRows<[string, Record<string, string>]>([
  ['<file path="index.html">\n<p>hi</p></file>\n<done/>', { 'index.html': '<p>hi</p>\n' }],
  ['<file path="a.js">\nx()</file><file path="b.js">\ny()</file>\n\n<done/>', { 'a.js': 'x()\n', 'b.js': 'y()\n' }],
  [
    '<file path="a.js">\nx()</file>\nAnd now:\n<file path="b.js">\ny()\n</file>\n<done/>',
    { 'a.js': 'x()\n', 'b.js': 'y()\n' },
  ],
  ['<file path="index.html"><p>hi</p>\n</file>\n<done/>', { 'index.html': '<p>hi</p>\n' }],
  [
    '<file path="a.js">x()\ny()</file>\n\n<file path="b.txt">one line</file>\n<file path="c.js">{\n}</file>\n<done/>',
    { 'a.js': 'x()\ny()\n', 'b.txt': 'one line\n', 'c.js': '{\n}\n' },
  ],
  ['<file path="a.txt">one line</file>\n<done/>', { 'a.txt': 'one line\n' }],
  ['<file path="a.js">"use strict";\nx()\n</file>\n<done/>', { 'a.js': '"use strict";\nx()\n' }],
  ['<file path="a.json"> {"a":1} </file>\n<done/>', { 'a.json': ' {"a":1} \n' }],
  [
    '<file path="/index.html">\n1\n</file>\n<file path="css\\style.css">\n2\n</file>\n<done/>',
    { 'index.html': '1\n', 'css/style.css': '2\n' },
  ],
  [
    '<file path=".\\src\\app.js">\n1\n</file>\n<file path=" index.html ">\n2\n</file>\n<done/>',
    { 'src/app.js': '1\n', 'index.html': '2\n' },
  ],
  [
    '<file path=“index.html”>\n1\n</file>\n<file path="`src//app.js`">\n2\n</file>\n<done/>',
    { 'index.html': '1\n', 'src/app.js': '2\n' },
  ],
  ['<file path="/home/project/index.html">\n1\n</file>\n<done/>', { 'home/project/index.html': '1\n' }],
  ['<file path="app.js">\n\n```js\nx()\n```\n\n</file>\n<done/>', { 'app.js': 'x()\n' }],
  ['<file path="app.js">\n```js\nx()\n</file>\n<done/>', { 'app.js': 'x()\n' }],
  ['<file path="app.js">\n```js:app.js\nx()\n```\n</file>\n<done/>', { 'app.js': 'x()\n' }],
  ['<file path="app.js">\n~~~js title="app.js"\nx()\n~~~\n</file>\n<done/>', { 'app.js': 'x()\n' }],
  ['<file path="app.js">\nx()\n```\n</file>\n<done/>', { 'app.js': 'x()\n' }],
  ['<file path="app.js">\n<![CDATA[\nx()\n]]>\n</file>\n<done/>', { 'app.js': 'x()\n' }],
])('reads content beside its markers, paths in other forms, and wrapped content', (answer, files) => {
  expect(parse(answer)).toEqual({ files, done: true, rejected: [] });
});

const SAME: readonly [path: string, content: string][] = [
  ['README.md', 'Each file stands between `<file path="x">` and `</file>`; the last line is `<done/>`.\n'],
  ['README.md', '<think>\nA thought of the model.\n</think>\nand more\n'],
  ['README.md', '```sh\nnpm start\n```\nText\n```\nend\n```\n'],
  ['README.md', '```markdown\n# x\n```\nand\n```js\nx\n```\n'],
  ['notes.qmd', '```js\nx()\n```\ntext\n'],
  ['plot.qmd', '```{r}\nplot(x)\n```\n'],
  [
    'a.js',
    "const end = '</file>', begin = '<file path=\"index.html\">';\nf(`<file path=\"$" +
      '{name}">$' +
      '{text}</file>`);\n',
  ],
  ['a.js', '// the answer ends with <done/>\nlast(); // after </file>\nx();\n'],
  ['a.js', "text.replace(/<think>/, '').replace('</think>', '');\n"],
  ['a.js', 'const a = `\n```js\nx\n```\n`;\n'],
  ['list.xml', '<list>\n<file path="b.txt">one\ntwo</file>\n<file path="c.txt">three</file>\n</list>\n'],
  ['list.xml', '<list>\n<file>b.txt</file>\n<file name="c">\n<path>c.txt</path></file>\n</list>\n'],
  ['code.html', '<pre>&lt;p&gt;</pre>\n<pre>\n&lt;file path="x"&gt;\n</pre>\n'],
  ['map.js', `const map = [\n${"  '..........',\n".repeat(300)}];\n`],
];

testRows(SAME)('keeps content that resembles the format, also behind a thought', (path, content) => {
  for (const before of ['', `<think>\n${DRAFT}</think>\n`])
    expect(parse(`${before}${block(path, content)}<done/>`)).toEqual({
      files: { [path]: content },
      done: true,
      rejected: [],
    });
});

it('reads only the edit that follows a thought', () => {
  const edit = (to: string, end = '\n</edit>') =>
    `<edit path="a.js">\n<<<<<<< SEARCH\none\n=======\n${to}\n>>>>>>> REPLACE${end}\n`;
  const before = [{ path: 'a.js', content: 'one\n' }];
  const expected = { files: { 'a.js': 'three\n' }, done: true, rejected: [] };
  expect(parse(`<think>\n${edit('two')}No, better:\n</think>\n${edit('three', '</edit>')}<done/>`, 9, before)).toEqual(
    expected,
  );
  expect(parse(`${edit('two')}No, better:\n</think>\n${edit('three')}<done/>`, 9, before)).toEqual(expected);
});

it('makes the changes of answers that close or open them otherwise', () => {
  const blocks = '<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n';
  const before = [
    { path: 'a.js', content: 'one\n' },
    { path: 'b.js', content: 'b\n' },
  ];
  for (const answer of [
    `<file path="a.js">\n${blocks}</file>\n<done/>`,
    `<edit path="a.js">\n${blocks}</file>\n<done/>`,
    `<edit path="a.js">\n${blocks}<done/>`,
  ])
    expect(parse(answer, 5, before)).toEqual({ files: { 'a.js': 'two\n' }, done: true, rejected: [] });
  for (const marker of ['<delete path="b.js"></delete>', '<delete path="b.js"/> (no longer used)']) {
    const parser = new OutputParser(before);
    parser.feed(`${marker}\n<done/>\n`);
    expect([...parser.changes.deleted.keys()]).toEqual(['b.js']);
  }
});

it('does not take a diff, or blocks of another format, for the new content of a file', () => {
  const before = [{ path: 'a.js', content: 'one\n' }];
  for (const content of ['@@ -1 +1 @@\n-one\n+two\n', '<<<<<<< ORIGINAL\none\n=======\ntwo\n>>>>>>> UPDATED\n']) {
    expect(parse(`${block('a.js', content)}<done/>`, 5, before)).toEqual({ files: {}, done: true, rejected: ['a.js'] });
    expect(parse(`${block('a.patch', content)}<done/>`, 5, before).files).toEqual({ 'a.patch': content });
  }
});

it('rejects files whose opening marker it cannot read', () => {
  for (const opening of [
    '<file name="a.js">',
    '<file>',
    '<file path="a.js"> x()',
    '<file path="a.js"',
    '<file\n  path="a.js"\n>',
  ])
    expect(parse(`${FILES}${opening}\nx()\n</file>\n<done/>`).rejected).toHaveLength(1);
});

it('finds the same project, or names what is missing, whatever stands at the boundaries', () => {
  const noise = fc.constantFrom(
    '',
    'Sure!\n',
    '<|im_start|>',
    '```\n',
    `<think>\n${DRAFT}<done/>\n</think>`,
    'I use <file path="x"> for each.\n',
    '\n\n',
    '</think>\n',
  );
  const after = fc.constantFrom('', '<|im_end|>', '\nDone!', '\n```', '</s>', '\n\n');
  const content = fc.constantFrom(...SAME);
  fc.assert(
    fc.property(
      fc.uniqueArray(content, { minLength: 1, maxLength: 4, selector: ([path]) => path }),
      fc.array(noise, { minLength: 5, maxLength: 5 }),
      after,
      fc.integer({ min: 1, max: 60 }),
      (files, before, end, size) => {
        const first = before[0] ?? '';
        const blocks = files.map(([path, text], i) => {
          // A closing tag takes back what stands before it.
          const between = before[i + 1]?.startsWith('</think>') ? '' : (before[i + 1] ?? '');
          return (i === 0 ? first : between) + block(path, text);
        });
        const { rejected, ...found } = parse(`${blocks.join('')}<done/>${end}`, size);
        expect({ ...found, rejected }).toEqual({
          files: Object.fromEntries(files),
          done: true,
          rejected: [],
        });
      },
    ),
    { numRuns: runs(300) },
  );
});

it('takes nothing of a thought that no tag began, whatever it has', () => {
  const thought = fc.array(
    fc.constantFrom(
      DRAFT,
      '<done/>\n',
      DRAFT_PLAN,
      'Let me think.\n',
      '<file path="draft.html">\n<p>half\n',
      '<plan>\n1 draft.html: half\n',
      '```html\n<p>x</p>\n```\n',
      'I end with <done/>\n',
      '<file path="../x">\nold\n</file>\n',
      block('index.html', '<p>old</p>\n'),
      'First <plan>, then <file path="a.js"> and </file>.\n',
      '<file path="a.js">\nx()</file>\n',
      '</file>\n',
    ),
    { minLength: 1, maxLength: 4 },
  );
  const end = fc.constantFrom(
    '</think>\n',
    '</think>',
    'So I begin.</think>',
    '[/THINK]\n\n',
    '◁/think▷\n',
    '<channel|>',
    '</seed:think>\n',
    '<|END_THINKING|>\n',
    '<|end|><|start|>assistant<|channel|>final<|message|>',
  );
  const begin = fc.constantFrom('', PLAN, 'Here it is:\n');
  fc.assert(
    fc.property(thought, end, begin, fc.integer({ min: 1, max: 60 }), (pieces, tag, first, size) => {
      expect(parse(`${pieces.join('')}${tag}${first}${WHOLE}`, size)).toEqual(COMPLETE);
    }),
    { numRuns: runs(300) },
  );
});

const stores = await startStores();

/** Generates with a model that gives these answers, the last one again and again. */
async function generate(answers: readonly string[], more: Partial<Writing> = {}) {
  const given = Array.from({ length: 40 }, (_, at) => answers[Math.min(at, answers.length - 1)] ?? '');
  const { generation, files, requests } = await writeAnswers(stores, given, more);
  return { generation, files: Object.fromEntries(files), requests, attempts: attemptsOf(generation) };
}

const endings = (how: 'length' | 'end of stream' | 'reset' | 'stall'): Partial<Writing> => ({
  endings: () => ({ at: Number.POSITIVE_INFINITY, how }),
});

it('is asked for the rest after a connection that ended without a finish reason', async () => {
  const { generation, requests, files } = await generate([FILES, '<done/>'], {
    endings: ({ number }) => ({ at: number === 1 ? FILES.length : 7, how: 'end of stream' }),
  });
  expect([generation.status, requests.length, files]).toEqual(['succeeded', 2, PROJECT]);
});

it('takes back the draft of a thought that no tag began', async () => {
  const six = Array.from('abcdef', (name) => block(`${name}.html`, PAGE)).join('');
  const same = await generate([`${six}<done/>\n</think>\n${six}<done/>`]);
  expect([same.generation.status, Object.keys(same.files).length]).toEqual(['succeeded', 6]);
  const { generation, files } = await generate([
    `${DRAFT}<done/>\n${' I think again. '.repeat(300)}\n</think>\n${WHOLE}`,
  ]);
  expect([generation.status, generation.problems, files]).toEqual(['succeeded', [], PROJECT]);
});

const DRAFT_FILES = `${DRAFT}${DRAFT.replace('draft', 'other')}`;

testRows<[thought: string, answer?: string]>([
  [`${DRAFT_PLAN}Hm, no.\n</think>\n`],
  [`${DRAFT_PLAN}${DRAFT}Better:\n</think>\n`],
  [`${DRAFT_PLAN}${DRAFT}So I begin.</think>`],
  [`I plan:\n${DRAFT_PLAN}${DRAFT}<done/>\n${'I think again. '.repeat(300)}\n[/THINK]\n`],
  [`I plan:\n${DRAFT_PLAN}${DRAFT_FILES}<done/>\nNo.\n◁/think▷\n`],
  [`I plan:\n${DRAFT_PLAN}<file path="draft.html">\n<p>not\n</think>\n`],
  [`I plan:\n${DRAFT_PLAN}${DRAFT_FILES}</seed:think>\n`, WHOLE],
  [`${DRAFT_PLAN}<file path="draft.html">\n<p>not\n<|END_THINKING|>\n`, WHOLE],
  [`<plan>\n1 draft.html: not\n</think>\n`, WHOLE],
])('takes back the plan of a thought that no tag began', async (thought, answer) => {
  for (const parallel of [1, 4]) {
    const unwritten: string[] = [];
    const first = answer ?? `${PLAN}${parallel > 1 ? block('index.html', PAGE) : FILES}<done/>`;
    const group = (paths: readonly string[]) =>
      `${paths.map((path) => block(path, PROJECT[path] ?? '')).join('')}<done/>`;
    const { generation, files, attempts } = await generate([], {
      parallel,
      // The attempts for the draft's plan begin, and end, before it is taken back.
      piece: 80,
      onCall: (_name, request) => unwritten.push(...request.unwritten.map(({ path }) => path)),
      answer: () => {
        const paths = unwritten.splice(0);
        // The file of the draft's plan is begun, and not finished.
        if (paths.some((path) => !(path in PROJECT))) return `<file path="${paths[0]}">\n<p>half</p>\n<p>`;
        return `${thought}${paths.length === 0 ? first : group(paths)}`;
      },
    });
    expect([generation.status, generation.problems, files]).toEqual(['succeeded', [], PROJECT]);
    const kept = attempts.filter(({ dropped }) => !dropped);
    expect(kept.length).toBe(parallel > 1 && answer === undefined ? 2 : 1);
  }
});

it('sends back the paths that it cannot use, and names those that stay', async () => {
  const stray = `${FILES}<file path="../notes.md">\nx\n</file>\n<done/>`;
  const kept = await generate([stray, '<done/>']);
  expect(kept.requests[1]?.problems).toEqual(['../notes.md: not written, because its path has a "." or ".." segment']);
  expect(kept.generation).toMatchObject({ status: 'incomplete' });
  expect(kept.generation.problems).toContain(kept.requests[1]?.problems[0]);
  const corrected = await generate([stray, '<file path="notes.md">\nx\n</file>\n<done/>']);
  expect(corrected.generation).toMatchObject({ status: 'succeeded', problems: [] });
  const outside = WHOLE.replaceAll('path="', 'path="C:\\clock\\');
  const all = await generate([outside, WHOLE]);
  expect([all.generation.status, all.files, all.requests.length]).toEqual(['succeeded', PROJECT, 2]);
  const never = await generate([outside]);
  expect([never.generation.status, never.requests.length]).toEqual(['failed', 2]);
  expect(never.attempts[1]?.reason).toMatch(/C:\/clock\/index\.html has the character ":"/);
});

it('keeps a whole file of a new project that the model abbreviates later', async () => {
  const short = block('src/app.js', 'tock();\n// ... rest of the code unchanged\n');
  const edit = `<edit path="src/app.js">\n<<<<<<< SEARCH\n${SCRIPT}=======\ntock();\n${SCRIPT}>>>>>>> REPLACE\n</edit>\n<done/>`;
  for (const answers of [[`${FILES}${short}<done/>`], [FILES, `${short}<done/>`]]) {
    const { generation, files, requests } = await generate([...answers, edit]);
    expect(requests.at(-1)?.problems).toEqual([
      expect.stringMatching(/^src\/app\.js: not changed, because the change would lose code to a placeholder/),
    ]);
    expect([generation.status, generation.problems]).toEqual(['succeeded', []]);
    expect(files).toEqual({ ...PROJECT, 'src/app.js': `tock();\n${SCRIPT}` });
  }
});

it('ends a model that only repeats itself', async () => {
  const item = '<li>\n  <b>Again</b>\n  <i>and again</i>\n</li>\n'.repeat(400);
  const list = await generate(
    [`<file path="index.html">\n<ul>\n${item}`, `<file path="index.html" continued>\n${item}`],
    endings('length'),
  );
  const two = ['one', 'two'].map((text) => block('index.html', `<p>${text}</p>\n`)).join('');
  const versions = await generate([two.repeat(70)], endings('length'));
  for (const { requests, generation } of [list, versions]) {
    expect(requests.length).toBeLessThanOrEqual(4);
    expect(generation.status).not.toBe('succeeded');
  }
});

const CLOSED = `${PAGE}</html>\n`;
const FENCED = `\`\`\`html\n${PAGE}\`\`\`\n`;
const PAGE_IN_FENCE = `Here it is:\n\n\`\`\`html\n${PAGE}\`\`\`\n\nOpen it in a browser.`;
testRows<[string, Record<string, string>]>([
  [PAGE_IN_FENCE, { 'index.html': PAGE }],
  [`Sure.\n${PAGE}</html>`, { 'index.html': `${PAGE}</html>\n` }],
  [`<think>\nFirst <!doctype html>, then…\n</think>\n${PAGE}</html>`, { 'index.html': `${PAGE}</html>\n` }],
  [`First <html>, or\n\`\`\`html\nx\n\`\`\`\nSo:</think>\n${PAGE_IN_FENCE}`, { 'index.html': PAGE }],
  [
    `### 1. \`index.html\`\n\`\`\`html\n${PAGE}\`\`\`\n\n**src/app.js**\n\n\`\`\`js\n${SCRIPT}\`\`\`\n\nRun:\n\`\`\`sh\nnpx serve\n\`\`\`\n`,
    PROJECT,
  ],
  [
    `1. **index.html**\n\n   \`\`\`html\n${PAGE.replace(/^/gm, '   ')}\`\`\`\n2. **src/app.js**\n   \`\`\`js\n   ${SCRIPT}   \`\`\`\n<done/>`,
    PROJECT,
  ],
  [`\`\`\`html index.html\n${PAGE}\`\`\`\n\`\`\`js:src/app.js\n${SCRIPT}\`\`\``, PROJECT],
])('reads fences with the names of files, and a page alone', async (answer, project) => {
  const { generation, files, requests } = await generate([answer]);
  expect([generation.status, files, requests.length]).toEqual(['succeeded', project, 1]);
});

testRows<[string, RegExp]>([
  [`<file name="index.html">\n${PAGE}</file>\n<done/>`, /opening marker/],
  [`<file>\n<path>index.html</path>\n${CLOSED}</file>\n<done/>`, /opening marker/],
  [`{ "files": [{ "path": "index.html", "content": "x" }] }`, /JSON/],
  [
    `Here:\n\`\`\`json\n${JSON.stringify({ files: [{ path: 'index.html', content: CLOSED }] }, null, 2)}\n\`\`\``,
    /JSON/,
  ],
  [JSON.stringify({ content: CLOSED }), /JSON/],
  [`\`\`\`sh\ncat > index.html <<'END'\n${CLOSED}END\n\`\`\``, /fences/],
  [`**index.html**\n${FENCED}**index.html**\n${FENCED}`, /fences/],
  [`&lt;file path="index.html"&gt;\n${CLOSED}&lt;/file&gt;`, /escaped/],
  [`\\<file path="index.html">\n${CLOSED}\\</file>\n<done/>`, /not written as/],
  [`<boltAction type="file" filePath="index.html">\n${CLOSED}</boltAction>`, /another tool/],
  [`<tool_call>\n<function=write_file>\n<parameter=content>\n${CLOSED}</parameter>\n</tool_call>`, /another tool/],
  [`\`\`\`html\n<p>one</p>\n\`\`\`\n\`\`\`css\np { color: red }\n\`\`\``, /fences/],
  ['Certainly! What colour should it be?', /no file between markers/],
  [`<think>\n${WHOLE}`, /still thinking/],
])('reminds a model of the format once, with what was wrong', async (answer, reason) => {
  const reminded = await generate([answer, WHOLE]);
  expect([reminded.generation.status, reminded.files]).toEqual(['succeeded', PROJECT]);
  expect(reminded.requests.map(({ reminder }) => reminder)).toEqual([undefined, expect.stringMatching(reason)]);
  const never = await generate([answer]);
  expect([never.generation.status, never.requests.length]).toEqual(['failed', 2]);
  expect(never.attempts.at(-1)?.reason).toMatch(reason);
  const other = await generate([answer], { providers: ['provider-a', 'provider-b'] });
  expect(other.requests.map(({ reminder }) => reminder === undefined)).toEqual([true, true, false]);
});

it('names the examples that a page shows as facts, without a repair', async () => {
  const page = PAGE.replace('12:00', '<b data-example>22 of 30 places left</b>');
  const { generation, requests } = await generate([`${block('index.html', page)}<done/>`]);
  expect([generation.status, requests.length]).toEqual(['succeeded', 1]);
  expect(generation.problems).toEqual([
    'index.html: "22 of 30 places left" is an example that the page shows as a fact',
  ]);
});
