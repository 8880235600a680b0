import type { WrittenFile } from '../../../lambda/stored/projects/stored-project.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { openEvents } from '../../support/cloud/events.ts';
import { startVariant, type Variant } from '../../support/cloud/variant.ts';
import { type Step, startVendor, type Vendor, type VendorRequest } from '../../support/vendors/index.ts';
import { filesIn, Model, messageOf, recorded } from '../../support/vendors/model.ts';

/** Time passes so many times as fast. */
const SCALE = 12;
/** Characters per second of a model that writes 80 tokens a second. */
const PACE = 320 * SCALE;
/** The contract's two minutes. Cold starts take as long as ever, so the other timeouts leave room for them. */
const DEADLINES = {
  providerTimeoutSeconds: 120 / SCALE,
  taskTimeoutSeconds: 30,
  firstTokenSeconds: 20,
  stallSeconds: 20,
};

const FINANCE = recorded('finance');
const SNAKE = recorded('snake');
/** One page of the size of the finance dashboard. */
const PAGE = new Map([
  [
    'index.html',
    `<!doctype html>\n<title>One page</title>\n<style>\n${filesIn(FINANCE).get('style.css')}</style>\n${Array.from(
      ['csv', 'ledger', 'store', 'view', 'csv', 'store', 'ledger', 'view', 'csv', 'store'],
      (name) => `<pre>\n${filesIn(FINANCE).get(`src/${name}.js`)?.replaceAll(/[<>&]/g, ' ')}</pre>\n`,
    ).join('')}`,
  ],
]);

/** What a vendor sends to its requests for a prompt, in their order; each further one gets a whole answer. */
type Faults = (length: number) => readonly ((text: string) => readonly Step[])[];

interface Row {
  readonly files: ReadonlyMap<string, string>;
  readonly plan?: string;
  readonly faults?: Faults;
}

const paced = (text: string): readonly Step[] => [{ text, pace: PACE }, { finish: 'complete' }];
const resetAt =
  (part: number): Faults =>
  (length) => [(text) => [{ text: text.slice(0, Math.ceil(length * part)), pace: PACE }, 'reset']];
const overloaded: Step = { status: 429, headers: { 'retry-after': '1' } };

const ROWS: Readonly<Record<string, Row>> = {
  'one page of 70 KB': { files: PAGE },
  'a connection that breaks at 52 %': { files: filesIn(SNAKE), faults: resetAt(0.52) },
  'four groups': {
    files: filesIn(FINANCE),
    plan: recorded('finance-plan'),
    faults: () => Array(4).fill((text: string) => [{ text, pace: PACE / 3 }, { finish: 'complete' }]),
  },
  'four groups, one of which is refused twice': {
    files: filesIn(FINANCE),
    plan: recorded('finance-plan'),
    faults: () => [paced, () => [overloaded], () => [overloaded]],
  },
};

let vendor: Vendor;
let running: Variant;
let groups: ReturnType<typeof openEvents>;
const asked = new Map<string, number>();

/** Finds the row that a request is for by its prompt, and answers as the row's model does. */
function scriptOf(_number: number, { body }: VendorRequest): readonly Step[] {
  const message = messageOf(body.messages);
  const name = /row "([^"]+)"/.exec(message)?.[1] ?? '';
  const { files, plan, faults } = ROWS[name] as Row;
  const number = asked.get(name) ?? 0;
  asked.set(name, number + 1);
  const length = Array.from(files.values()).join('').length;
  const text = new Model(files, plan).answer(message);
  return (faults?.(length)[number] ?? paced)(text);
}

beforeAll(async () => {
  vendor = await startVendor('openai-compatible', scriptOf);
  const provider = { kind: 'openai-compatible', model: 'm', baseUrl: vendor.baseUrl, parallel: 4 };
  running = await startVariant({
    PROVIDERS: { 'provider-a': provider },
    DEADLINES,
  });
  // The second test reads it, and meanwhile the first one runs.
  groups = openEvents(new URL('/api/v1/generate', running.baseUrl), {
    method: 'POST',
    body: { prompt: 'row "four groups"' },
    headers: { 'x-forwarded-for': '198.51.100.7' },
  });
});
afterAll(() => Promise.all([running?.close(), vendor?.close()]));

async function generated(name: string, { files }: Row) {
  const caller = newCaller(running.baseUrl);
  const response = await caller.post('/api/v1/generate', { prompt: `row "${name}"` });
  const { json } = await caller.send(`/api/v1/generations/${response.headers['x-generation-id']}`);
  const written = new Map<string, string>(
    (response.json.files ?? []).map(({ path, content }: { path: string; content: string }) => [
      path,
      content,
    ]),
  );
  const wrong = Array.from(new Set([...files.keys(), ...written.keys()])).filter(
    (path) => files.get(path) !== written.get(path),
  );
  return {
    status: response.status,
    ended: json.status,
    problems: json.problems ?? [],
    wrong,
  };
}

it('at the pace of a model, one provider completes each project byte for byte', async () => {
  const names = Object.keys(ROWS).filter((name) => name !== 'four groups');
  const results = await Promise.all(
    names.map(async (name) => [name, await generated(name, ROWS[name] as Row)]),
  );
  const whole = { status: 200, ended: 'succeeded', problems: [], wrong: [] };
  expect(results).toEqual(names.map((name) => [name, whole]));
});

it('the events show the plan, and several files that grow at the same time', async () => {
  const source = await groups;
  await source.ended;
  const plan = source.events.find(({ event }) => event === 'plan');
  expect(plan?.data.files).toHaveLength(8);
  const writing = source.events.filter(({ event }) => event === 'writing').map(({ data }) => data.files);
  expect(Math.max(...writing.map((files) => files.length))).toBeGreaterThan(1);
  const done = source.events.at(-1);
  expect(done?.event).toBe('done');
  const written = done?.data.files.map(({ path, content }: WrittenFile) => [path, content]);
  expect(new Map(written)).toEqual(filesIn(FINANCE));
  const begun = source.events.filter(({ event, data }) => event === 'attempt' && !data.outcome);
  expect(begun.map(({ data }) => data.group)).toEqual(expect.arrayContaining([undefined, 2, 3, 4]));
});
