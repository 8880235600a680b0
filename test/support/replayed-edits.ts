import fc from 'fast-check';

/** The project before each edit. Only index.html refers to other files, so that a deletion breaks no reference. */
export const PROJECT: Readonly<Record<string, string | Uint8Array>> = {
  'index.html':
    '<!doctype html>\n<html lang="en">\n<title>Shop</title>\n<script type="module" src="src/app.js"></script>\n<h1>Shop</h1>\n</html>\n',
  'src/app.js': numbered('const value', 60),
  'src/unix.js': `${numbered('let item', 40)}// no line feed at the end`,
  'src/dos.js': numbered('var entry', 40).replaceAll('\n', '\r\n'),
  'notes.md': 'Notes\n=====\n\n- one\n- two\n- two\n',
  'old.txt': 'to be deleted\n',
  'locked/config.js': numbered('export const key', 30),
  'locked/deep/data.json': '{ "a": 1 }\n',
  'photo.png': Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00]),
};

export const LOCKED = ['locked', '**/*.png'];

const EDITABLE = ['src/app.js', 'src/unix.js', 'src/dos.js', 'notes.md', 'old.txt'] as const;
type Editable = (typeof EDITABLE)[number];

/** One change in an answer: its text, and what the file is once it is made; null for a deletion. */
export interface Op {
  readonly kind: string;
  readonly path: string;
  readonly text: string;
  /** Undefined if the change must be rejected. */
  readonly result: string | null | undefined;
}

function numbered(start: string, count: number): string {
  return Array.from({ length: count }, (_, i) => `${start}${i} = ${i * 7};\n`).join('');
}

const block = (search: string, replace: string) => `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;
const edit = (path: string, ...blocks: string[]) => `<edit path="${path}">\n${blocks.join('')}</edit>\n`;
const whole = (path: string, content: string) => `<file path="${path}">\n${content}</file>\n`;

/** A line that occurs once, the one after it, and a replacement. */
function place(path: Editable, seed: number) {
  const content = String(PROJECT[path]);
  const lines = content.split(/\r?\n/).filter((line) => line !== '');
  const unique = lines.filter((line) => lines.indexOf(line) === lines.lastIndexOf(line) && !/^=/.test(line));
  const first = seed % unique.length;
  const line = unique[first] ?? '';
  const other = unique[(first + 1) % unique.length] ?? '';
  return { content, line, other };
}

type Make = (path: Editable, seed: number) => Op;

/** Changes that must be made. */
const GOOD: Readonly<Record<string, Make>> = {
  block: (path, seed) => {
    const { content, line } = place(path, seed);
    const result = content.replace(line, () => `changed $& ${seed}`);
    return { kind: 'block', path, text: edit(path, block(line, `changed $& ${seed}`)), result };
  },
  blocks: (path, seed) => {
    const { content, line, other } = place(path, seed);
    if (line === other) return GOOD.block?.(path, seed) as Op;
    const result = content.replace(line, 'A').replace(other, 'B');
    return { kind: 'blocks', path, text: edit(path, block(line, 'A'), block(other, 'B')), result };
  },
  'two edits': (path, seed) => {
    const { content, line, other } = place(path, seed);
    if (line === other) return GOOD.block?.(path, seed) as Op;
    const text = edit(path, block(line, 'A')) + edit(path, block(other, 'B'));
    return { kind: 'two edits', path, text, result: content.replace(line, 'A').replace(other, 'B') };
  },
  whole: (path, seed) => {
    const result = `${'a line of the new file\n'.repeat(40)}${seed}\n`;
    return { kind: 'whole', path, text: whole(path, result), result };
  },
  deletion: () => ({ kind: 'deletion', path: 'old.txt', text: '<delete path="old.txt"/>\n', result: null }),
  'closed as a file': (path, seed) => {
    const { content, line } = place(path, seed);
    const text = edit(path, block(line, 'x')).replace('</edit>', '</file>');
    return { kind: 'closed as a file', path, text, result: content.replace(line, 'x') };
  },
  'new file': (_, seed) => {
    const path = `new/file-${seed % 7}.txt`;
    const result = `new ${seed}\n`;
    return { kind: 'new file', path, text: whole(path, result), result };
  },
};

const bad = (kind: string, path: string, text: string): Op => ({ kind, path, text, result: undefined });

/** Changes that must be rejected. */
const BAD: Readonly<Record<string, Make>> = {
  'wrong search': (path) => bad('wrong search', path, edit(path, block('this line is nowhere', 'x'))),
  'part of a line': (path, seed) =>
    bad('part of a line', path, edit(path, block(place(path, seed).line.slice(0, -1), 'x'))),
  ambiguous: () => bad('ambiguous', 'notes.md', edit('notes.md', block('- two', '- three'))),
  'second block wrong': (path, seed) =>
    bad('second block wrong', path, edit(path, block(place(path, seed).line, 'x'), block('nowhere', 'y'))),
  'second edit wrong': (path, seed) => {
    const text = edit(path, block(place(path, seed).line, 'x')) + edit(path, block('nowhere', 'y'));
    return bad('second edit wrong', path, text);
  },
  'first edit wrong': (path, seed) => {
    const text = edit(path, block('nowhere', 'y')) + edit(path, block(place(path, seed).line, 'x'));
    return bad('first edit wrong', path, text);
  },
  'no end of the block': (path, seed) => {
    const text = `<edit path="${path}">\n<<<<<<< SEARCH\n${place(path, seed).line}\n=======\nx\n</edit>\n`;
    return bad('no end of the block', path, text);
  },
  'placeholder in a file': () => {
    const text = whole('src/app.js', `${numbered('const value', 30)}// ... rest of the code unchanged\n`);
    return bad('placeholder in a file', 'src/app.js', text);
  },
  'placeholder in a block': (_, seed) => {
    const { line } = place('src/app.js', seed);
    return bad('placeholder in a block', 'src/app.js', edit('src/app.js', block(line, '// ... existing code ...')));
  },
  stub: () => bad('stub', 'src/app.js', whole('src/app.js', 'const value0 = 0;\n')),
  'locked edit': () => {
    const text = edit('locked/config.js', block('export const key3 = 21;', 'x'));
    return bad('locked edit', 'locked/config.js', text);
  },
  'locked file': () => bad('locked file', 'locked/config.js', whole('locked/config.js', 'x\n'.repeat(900))),
  'locked deletion': () => bad('locked deletion', 'locked/deep/data.json', '<delete path="locked/deep/data.json"/>\n'),
  'locked new file': () => bad('locked new file', 'locked/new.js', whole('locked/new.js', 'x\n')),
  'locked image': () => bad('locked image', 'photo.png', whole('photo.png', 'x\n')),
  'unsafe path': () => bad('unsafe path', '../escape.txt', whole('../escape.txt', 'x\n')),
};

const op = (makes: Readonly<Record<string, Make>>) =>
  fc
    .record({
      name: fc.constantFrom(...Object.keys(makes)),
      path: fc.constantFrom(...EDITABLE),
      seed: fc.nat(1_000),
    })
    .map(({ name, path, seed }) => (makes[name] as Make)(path, seed));

/**
 * How one call of a provider ends: whole; or at a part of it, cut off, or refused, so that the next provider continues.
 */
export type Ending = { readonly end: 'whole' } | { readonly end: 'cut' | 'length' | 'refused'; readonly at: number };

export interface ReplayedEdit {
  /** At most one for each path. */
  readonly ops: readonly Op[];
  /** Of the first calls; later ones are whole. */
  readonly endings: readonly Ending[];
  /** Whether a repair leaves the rejected changes out; otherwise it repeats them. */
  readonly givesIn: boolean;
  readonly chunk: number;
}

const ending: fc.Arbitrary<Ending> = fc.oneof(
  fc.constant({ end: 'whole' as const }),
  fc.record({
    end: fc.constantFrom('cut' as const, 'length' as const, 'refused' as const, 'refused' as const),
    at: fc.integer({ min: 20, max: 100 }).map((percent) => percent / 100),
  }),
);

export const replayedEdit: fc.Arbitrary<ReplayedEdit> = fc.noBias(
  fc.record({
    ops: fc
      .tuple(fc.array(op(GOOD), { minLength: 2, maxLength: 4 }), fc.array(op(BAD), { maxLength: 2 }))
      .chain(([good, wrong]) => fc.shuffledSubarray([...wrong, ...good], { minLength: good.length + wrong.length }))
      .map((ops) => ops.filter(({ path }, i) => ops.findIndex((other) => other.path === path) === i)),
    endings: fc.array(ending, { minLength: 1, maxLength: 3 }),
    givesIn: fc.boolean(),
    chunk: fc.integer({ min: 1, max: 400 }),
  }),
);
