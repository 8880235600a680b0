import { generationResource } from '../../../../lambda/generation/api/resource.ts';
import type { Looker } from '../../../../lambda/stored/looks/looker.ts';
import { startStores } from '../../../support/generation.ts';
import { png } from '../../../support/images.ts';
import { type Ending, writeAnswers } from '../../../support/written-projects.ts';

const stores = await startStores();

const PICTURES = new Map([
  [390, png(390, 8)],
  [1280, png(1280, 8)],
] as const);

/** Finds a problem for each word in `<i>` of the page. */
const looker: Looker = {
  look: async (_tenant, { files, entry }) => {
    const words = String(Buffer.from(files.get(entry) ?? '')).matchAll(/<i>(\w+)<\/i>/g);
    const problems = Array.from(words, ([, word]) => ({
      kind: 'error' as const,
      message: `${word} is wrong`,
    }));
    return { state: 'looked', problems, screenshots: PICTURES };
  },
};

const file = (path: string, content: string) => `<file path="${path}">\n${content}</file>\n`;
const page = (body: string) => `<!doctype html>\n<title>t</title>\n${body}\n`;
const written = (body: string) => `${file('index.html', page(body))}<done/>\n`;
const edit = (from: string, to: string) =>
  `<edit path="index.html">\n<<<<<<< SEARCH\n${from}\n=======\n${to}\n>>>>>>> REPLACE\n</edit>\n`;
const DONE = '<done/>\n';

/** Generates with a model that sees and gives these answers. @param ending how the answer to the review ends */
async function generate(answers: readonly string[], ending?: Ending, images = true) {
  const given = Array.from({ length: 12 }, (_, at) => answers[at] ?? DONE);
  const written = await writeAnswers(stores, given, {
    duration: '10min',
    images,
    endings: ({ request }) => (request.kind === 'review' ? ending : undefined),
    ports: { looker },
  });
  const { generation, files } = written;
  const { status, problems } = generation;
  return { ...written, status, problems, page: String(files.get('index.html')) };
}

it('shows the model its page with the problems, and keeps the edit that it makes', async () => {
  const answers = [written('<p>1</p>\n<i>one</i>'), `${edit('<p>1</p>', '<p>2</p>')}${edit('<i>one</i>', '')}${DONE}`];
  const { generation, attempts, requests, status, page: last } = await generate(answers);
  expect(attempts).toEqual(['write succeeded', 'review succeeded']);
  const [, review] = requests;
  expect(review).toMatchObject({ kind: 'review', amends: true, problems: ['one is wrong'] });
  expect(Array.from(review?.screenshots ?? [], ([width, picture]) => [width, Buffer.from(picture)])).toEqual([
    ...PICTURES,
  ]);
  expect([status, last]).toEqual(['succeeded', page('<p>2</p>\n')]);
  expect(generationResource(generation).look).toMatchObject({ state: 'looked', problems: [] });
});

/** What the review answers, the attempts after the first, and the page in the end. The first page has one problem. */
const REVIEWS: readonly (readonly [name: string, answer: string, attempts: string[], body: string])[] = [
  ['nothing, and the problem is left to a repair', DONE, ['review succeeded', 'repair succeeded'], 'ok'],
  ['an empty text', '', ['review succeeded', 'repair succeeded'], 'ok'],
  ['a sentence', 'All is well.\n', ['review succeeded', 'repair succeeded'], 'ok'],
  ['only a wrong edit', `${edit('none', '2')}${DONE}`, ['review unusable', 'repair succeeded'], 'ok'],
  [
    'an edit that adds a problem, which is dropped',
    `${edit('<i>one</i>', '<i>one</i><i>two</i>')}${DONE}`,
    ['review succeeded dropped', 'repair succeeded'],
    'ok',
  ],
  [
    'an edit that changes no problem, which is kept',
    `${edit('<i>one</i>', '<i>one</i>!')}${DONE}`,
    ['review succeeded', 'repair unusable'],
    '<i>one</i>!',
  ],
];

it.each(REVIEWS)('reviews with %s', async (_name, answer, attempts, body) => {
  const run = await generate([written('<i>one</i>'), answer, `${edit('<i>one</i>', 'ok')}${DONE}`]);
  expect(run.attempts.slice(1)).toEqual(attempts);
  expect([run.status, run.page]).toEqual(['succeeded', page(body)]);
});

it.each(['reset', 'length', 'end of stream', 'stall', 'failed', 'overloaded'] as const)(
  'keeps nothing of a review that ends with %s',
  async (how) => {
    // Its first edit is complete.
    const answer = `${edit('<p>1</p>', '<p>2</p>')}${file('more.html', 'x\n'.repeat(2_000))}${DONE}`;
    const { attempts, status, problems, page: last } = await generate([written('<p>1</p>'), answer], { at: 200, how });
    expect(attempts[1]).toMatch(/^review (?!succeeded)/);
    expect([attempts.length, status, problems, last]).toEqual([2, 'succeeded', [], page('<p>1</p>')]);
  },
);

it('asks no model that cannot see', async () => {
  const { attempts } = await generate([written('<p>1</p>')], undefined, false);
  expect(attempts).toEqual(['write succeeded']);
});
