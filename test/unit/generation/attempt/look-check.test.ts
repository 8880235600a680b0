import { BROWSER_SLOW, type LookProblem } from '../../../../lambda/contract/looks.ts';
import { generateResponse, generationResource } from '../../../../lambda/generation/api/resource.ts';
import type { GenerationEvent } from '../../../../lambda/generation/generation.ts';
import { attemptsOf } from '../../../../lambda/generation/generation-log.ts';
import type { DeployTarget } from '../../../../lambda/stored/generations.ts';
import type { Look, Looker, LookInput, NoLook } from '../../../../lambda/stored/looks/looker.ts';
import { startStores } from '../../../support/generation.ts';
import { type Ending, type Writing, writeAnswers } from '../../../support/written-projects.ts';

const stores = await startStores();

const PICTURE = Buffer.from('a picture');
const DEPLOY = { names: { id: 'd', version: 'v' } } as DeployTarget;

/**
 * A looker that finds what the page says: each word in `<i>` is a problem, those with an exclamation mark keep the page from
 * loading. One that is `unseen` cannot be looked at, for one that is `late` the browser is too slow, and one that is `long` is not
 * seen to its end.
 */
function reader() {
  const looked: string[] = [];
  const looker: Looker = {
    look: async (_tenant, { files, entry }: LookInput): Promise<Look | NoLook> => {
      const page = String(Buffer.from(files.get(entry) ?? ''));
      looked.push(page);
      if (page.includes('unseen')) return { state: 'failed', reason: 'The browser failed' };
      if (page.includes('late')) return { state: 'failed', reason: BROWSER_SLOW };
      const problems = Array.from(
        page.matchAll(/<i>([\w-]+)(!?)<\/i>/g),
        ([, word, blocks]): LookProblem => ({
          kind: 'error',
          message: `${word} is wrong`,
          path: entry,
          line: 2,
          ...(blocks === '!' ? { blocking: true } : {}),
        }),
      );
      const screenshots = new Map([[390, PICTURE]] as const);
      return { state: 'looked', problems, screenshots, ...(page.includes('long') && { isPartial: true }) };
    },
  };
  return { looker, looked };
}

const page = (words: string) => `<!doctype html>\n<title>t</title>${words.replaceAll(/([\w-]+!?)/g, '<i>$1</i>')}\n`;
const file = (path: string, content: string) => `<file path="${path}">\n${content}</file>\n`;
/** An answer with a page that has these problems. */
const written = (words: string) => `${file('index.html', page(words))}<done/>\n`;
/** The answer of a repair that writes the page anew. */
const rewritten = (words: string, more = '') =>
  `<delete path="index.html"/>\n${more}${file('index.html', page(words))}<done/>\n`;

interface Run extends Partial<Writing> {
  readonly answers: readonly string[];
  readonly deploy?: boolean;
}

/** Generates with a model that gives these answers. */
async function generate({ answers, deploy, given, ...writing }: Run) {
  const { looker, looked } = reader();
  const written = await writeAnswers(stores, answers, {
    ...writing,
    given: { ...given, ...(deploy ? { deploy: DEPLOY } : {}) },
    ports: { looker, ...writing.ports },
  });
  const { look } = generationResource(written.generation);
  const asked = written.requests.map(({ problems }) => problems);
  return { ...written, asked, looked, look, last: String(written.files.get('index.html')) };
}

const looksIn = (log: readonly GenerationEvent[]) =>
  log.flatMap((event) => (event.type === 'look' ? [`${event.attempt} ${event.state}`] : []));
const sentence = (word: string) => `index.html:2: ${word} is wrong`;

it('sends what a browser sees back, looks at the correction, and keeps both looks', async () => {
  const { generation, attempts, asked, looked, look, last } = await generate({
    answers: [written('one! two'), rewritten('')],
    deploy: true,
  });
  expect(attempts).toEqual(['write succeeded', 'repair succeeded']);
  expect(asked).toEqual([[], [sentence('one'), sentence('two')]]);
  expect(looked).toEqual([page('one! two'), page('')]);
  expect(last).toBe(page(''));
  expect(look).toMatchObject({ state: 'looked', problems: [] });
  expect(generation).toMatchObject({ status: 'deploying', problems: [] });
  expect(looksIn(generation.log)).toEqual(['1 looking', '1 looked', '2 looking', '2 looked']);
  const shots = await Promise.all([1, 2].map((attempt) => stores.files.look(generation.id, attempt)));
  expect(shots.map((shot) => shot?.problems.length)).toEqual([2, 0]);
  expect(Buffer.from(shots[0]?.screenshots.get(390) ?? [])).toEqual(PICTURE);
  expect(generationResource(generation).attempts[0]?.look).toMatchObject({
    problems: [{ message: 'one is wrong', blocking: true }, { message: 'two is wrong' }],
    screenshots: { 390: `/api/v1/generations/${generation.id}/screenshot?attempt=1&width=390` },
  });
});

/** What is written, what each repair makes of it, which of the two is kept, and why not the other. */
const REPAIRS: readonly (readonly [before: string, after: string, kept: boolean, reason?: RegExp])[] = [
  ['one two', 'two', true],
  ['one two', '', true],
  ['one!', 'two', true],
  ['one! two!', 'two! three four five', true],
  ['one', 'one two', false, /^Dropped: the project had more problems than before, such as index.html:2: two is wrong$/],
  ['one', 'two', false, /^Dropped: the project had as many problems as before, such as .* two is wrong$/],
  ['one', 'one', false, /^Dropped: it corrected nothing$/],
  ['one two three', 'one!', false, /more problems than before, such as index.html:2: one is wrong/],
  ['one', 'unseen', false, /^Dropped: no browser could open the page afterwards$/],
];

it('keeps a repair only if it makes the project better', async () => {
  for (const [before, after, kept, reason] of REPAIRS) {
    const repaired = rewritten(after, file('other.js', 'run();\n'));
    const { generation, attempts, last, files, look } = await generate({ answers: [written(before), repaired] });
    const [written_, repair] = attemptsOf(generation);
    const row = `${before} → ${after}`;
    expect([row, attempts[1], last]).toEqual([
      row,
      `repair succeeded${kept ? '' : ' dropped'}`,
      page(kept ? after : before),
    ]);
    expect([row, files.has('other.js')]).toEqual([row, kept]);
    if (reason) expect(repair?.reason).toMatch(reason);
    const words = (kept ? after : before).match(/[\w-]+/g) ?? [];
    expect(generation).toMatchObject({ status: 'succeeded', problems: words.map(sentence) });
    expect(look).toMatchObject({ state: 'looked' });
    expect(written_?.dropped).toBeUndefined();
    // A response has what a client has that replaced files by path.
    const response = await generateResponse(generation, stores.files, Date.now());
    expect(new Map(response.files.map(({ path, content }) => [path, content]))).toEqual(files);
  }
});

it('keeps a repair of what a browser saw if the browser is too slow afterwards', async () => {
  const { generation, attempts, look, last } = await generate({ answers: [written('one'), rewritten('late')] });
  expect(attempts).toEqual(['write succeeded', 'repair succeeded']);
  expect(last).toBe(page('late'));
  expect(look).toMatchObject({ state: 'failed', reason: BROWSER_SLOW });
  expect(generation).toMatchObject({ status: 'succeeded', problems: [] });
});

it('tries again after a repair that was dropped, and says why', async () => {
  const { attempts, asked, last } = await generate({
    answers: [written('one'), rewritten('one two'), rewritten('')],
    duration: '5min',
  });
  expect(attempts).toEqual(['write succeeded', 'repair succeeded dropped', 'repair succeeded']);
  expect(asked[2]).toEqual([
    sentence('one'),
    expect.stringMatching(/^An earlier correction had no effect. Dropped: .* such as index.html:2: two is wrong$/),
  ]);
  expect(last).toBe(page(''));
});

it('publishes only a page that loads, and says what the browser saw', async () => {
  const broken = await generate({ answers: [written('one! two! three'), ''], deploy: true });
  expect(broken.generation).toMatchObject({
    status: 'succeeded',
    problems: ['one', 'two', 'three'].map(sentence),
    deployed: { status: 400 },
  });
  expect((await generateResponse(broken.generation, stores.files, Date.now())).deploymentError).toEqual({
    status: 400,
    error: `Not published, because a browser found: ${sentence('one')} (and 1 more). Change it with "from", or deploy it as it is with "generationId": "${broken.generation.id}"`,
  });
  // Lesser problems are listed.
  const lesser = await generate({ answers: [written('one two'), ''], deploy: true });
  expect(lesser.generation).toMatchObject({ status: 'deploying', problems: ['one', 'two'].map(sentence) });
});

it('says once that nobody looks, and goes on', async () => {
  const skipped = 'This stage does not look at projects (look.enabled is false)';
  const none: Looker = { skipped, look: () => Promise.reject(new Error('not skipped')) };
  const reference = '<script src="a.js"></script>';
  const answers = [written('one!').replace('</title>', `</title>${reference}`), rewritten('one!')];
  const { generation, attempts, look } = await generate({ answers, deploy: true, ports: { looker: none } });
  expect(attempts).toEqual(['write succeeded', 'repair succeeded']);
  expect(look).toEqual({ state: 'skipped', reason: skipped });
  expect(looksIn(generation.log)).toEqual(['1 skipped']);
  expect(generation).toMatchObject({ status: 'deploying', problems: [] });

  const free = await generate({ answers: [written('one!')], ports: { unlooked: () => 'It is free' } });
  expect([free.look, free.looked]).toEqual([{ state: 'skipped', reason: 'It is free' }, []]);
});

it('leaves out a look that the browser fails', async () => {
  const { generation, attempts, look } = await generate({ answers: [written('unseen')], deploy: true });
  expect(attempts).toEqual(['write succeeded']);
  expect(look).toEqual({ state: 'failed', reason: 'The browser failed' });
  expect(generation).toMatchObject({ status: 'deploying', problems: [] });
});

it('looks at nothing without a page, nor at what did not change', async () => {
  const texts = await generate({ answers: [`${file('README.md', 'Hello\n')}<done/>\n`] });
  expect([texts.look, texts.looked]).toEqual([undefined, []]);
  const idle = await generate({ answers: [written('one'), '<done/>\n'] });
  expect([idle.looked.length, idle.look]).toMatchObject([1, { problems: [{ message: 'one is wrong' }] }]);
});

describe('a repair that breaks off', () => {
  const cut = (at: number, how: Ending['how'] = 'length', calls = [2]): NonNullable<Writing['endings']> => {
    let seen = 0;
    return () => (calls.includes(++seen) ? { at, how } : undefined);
  };
  const answer = rewritten('one two three four');

  it('is judged when it is over', async () => {
    const rest = `${file('index.html', page(''))}<done/>\n`;
    const { attempts, looked, last } = await generate({
      answers: [written('one'), `<delete path="index.html"/>\n${file('a.js', 'run();\n')}${answer}`, rest],
      endings: cut(70),
    });
    expect(attempts).toEqual(['write succeeded', 'repair cut_off', 'repair succeeded']);
    expect([looked, last]).toEqual([[page('one'), page('')], page('')]);
  });

  it('leaves the project as it was if the continuation fails, or makes it worse', async () => {
    const parts = [written('one'), `${file('a.js', 'run();\n')}${answer}`];
    const failing = await generate({ answers: parts, endings: cut(80, 'failed', [2, 3]) });
    expect(failing.attempts.slice(-1)).toEqual([expect.stringMatching(/^repair .* dropped$/)]);
    const worse = await generate({
      answers: [...parts, `${file('index.html', page('one two'))}<done/>\n`],
      endings: cut(80),
    });
    expect(worse.attempts).toEqual(['write succeeded', 'repair cut_off dropped', 'repair succeeded dropped']);
    for (const { generation, last, files } of [failing, worse]) {
      expect([...files.keys()]).toEqual(['index.html']);
      expect(last).toBe(page('one'));
      expect(generation).toMatchObject({ status: 'succeeded', problems: [sentence('one')] });
    }
  });
});

describe('a change', () => {
  const parent = (words: string) => ({
    parent: {
      files: [
        { path: 'index.html', content: page(words), size: page(words).length },
        { path: 'logo.bin', content: Buffer.from([0, 255]), size: 2 },
      ],
    },
  });
  const edit = (from: string, to: string) =>
    `<edit path="index.html">\n<<<<<<< SEARCH\n${page(from)}=======\n${page(to)}>>>>>>> REPLACE\n</edit>\n<done/>\n`;

  it('answers for new problems only, and for a page that does not load', async () => {
    const own = await generate({ answers: [edit('one', 'one two')], given: parent('one'), deploy: true });
    expect(own.asked).toEqual([[], [sentence('two')]]);
    const known = await generate({ answers: [edit('one two', 'two one')], given: parent('one two') });
    expect([known.attempts, known.generation.problems]).toEqual([['write succeeded'], []]);
    // Nobody knows if the page had it before.
    const long = await generate({ answers: [edit('long', 'long two')], given: parent('long') });
    expect([long.attempts, long.generation.problems]).toEqual([['write succeeded'], []]);
    const broken = await generate({ answers: [edit('one!', 'one! ')], given: parent('one!'), deploy: true });
    expect(broken.generation).toMatchObject({ status: 'succeeded', deployed: { status: 400 } });
  });

  it('gets files of its base back that a repair changed', async () => {
    const repair = `<delete path="logo.bin"/>\n${edit('two', 'two three')}`;
    const { attempts, files, last } = await generate({ answers: [edit('one', 'two'), repair], given: parent('one') });
    expect(attempts).toEqual(['write succeeded', 'repair succeeded dropped']);
    expect([last, files.get('logo.bin')]).toEqual([page('two'), Buffer.from([0, 255])]);
  });
});
