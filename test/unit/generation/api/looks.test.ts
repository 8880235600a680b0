import { eventStream } from '../../../../lambda/generation/api/event-stream.ts';
import { generationResource, generationSummary } from '../../../../lambda/generation/api/resource.ts';
import { generationRoutes } from '../../../../lambda/generation/api/routes.ts';
import type { Attempt, Generation, GenerationEvent, LookEntry } from '../../../../lambda/generation/generation.ts';
import type { Look, NoLook } from '../../../../lambda/stored/looks/looker.ts';
import { aGeneration, anAttempt } from '../../../support/a-generation.ts';

const ID = 'j'.repeat(21);
const URL_OF = (attempt: number, width: number) =>
  `/api/v1/generations/${ID}/screenshot?attempt=${attempt}&width=${width}`;

const problem = { kind: 'wide', message: 'The page scrolls sideways', width: 390 } as const;
const looked = (attempt: number): GenerationEvent => look(attempt, { problems: [problem], widths: [390, 1280] });

function look(attempt: number, entry: Partial<LookEntry> = {}): GenerationEvent {
  return { type: 'look', attempt, state: 'looked', ...entry };
}

const ended = (attempt: number, more: Partial<Attempt> = {}) => anAttempt(attempt, { outcome: 'succeeded', ...more });

const generation = (log: readonly GenerationEvent[], more: Partial<Generation> = {}) =>
  aGeneration({ id: ID, status: 'succeeded', log: [{ type: 'queued', at: 0 }, ...log], ...more });

describe('the look of a generation', () => {
  const rows: [string, Generation, object | undefined][] = [
    ['is absent without one', generation([ended(1)]), undefined],
    [
      'is the last one',
      generation([ended(1), look(1, { state: 'looking' }), looked(1), ended(2), look(2, { widths: [390] })]),
      { state: 'looked', screenshots: { 390: URL_OF(2, 390) } },
    ],
    [
      'is not one at changes that were dropped',
      generation([ended(1), looked(1), ended(2, { dropped: true }), look(2, { widths: [390] })]),
      {
        state: 'looked',
        problems: [problem],
        screenshots: { 390: URL_OF(1, 390), 1280: URL_OF(1, 1280) },
      },
    ],
    [
      'is running while the generation runs',
      generation([ended(1), look(1, { state: 'looking' })], { status: 'running' }),
      { state: 'looking' },
    ],
    [
      'has failed if the generation ended before it',
      generation([ended(1), look(1, { state: 'looking' })], { status: 'canceled' }),
      { state: 'failed', reason: 'The look was interrupted' },
    ],
    [
      'has the reason if nobody looks',
      generation([ended(1), look(1, { state: 'skipped', reason: 'No browser was found' })]),
      { state: 'skipped', reason: 'No browser was found' },
    ],
  ];

  it.each(rows)('%s', (_name, given, expected) => {
    expect(generationResource(given).look).toEqual(expected);
    const { problems: _, ...summary } = { problems: [], ...expected };
    expect(generationSummary(given).look).toEqual(expected && summary);
  });

  it('is with its attempt as well', () => {
    const { attempts } = generationResource(
      generation([ended(1), looked(1), ended(2, { dropped: true }), look(2, { widths: [] })]),
    );
    expect(attempts).toMatchObject([{ look: { problems: [problem] } }, { dropped: true, look: { screenshots: {} } }]);
  });
});

it('the event stream has looks with the URLs of their pictures', async () => {
  const given = generation([look(1, { state: 'looking' }), looked(1)], { status: 'canceled' });
  const ports = { generations: { get: async () => given } as never, files: {} as never, clock: () => 0 };
  const data: unknown[] = [];
  for await (const text of eventStream(ID, 1, 1, ports)) {
    const [, json] = /^event: look\ndata: (.*)$/m.exec(text) ?? [];
    if (json) data.push(JSON.parse(json));
  }
  const screenshots = { 390: URL_OF(1, 390), 1280: URL_OF(1, 1280) };
  expect(data).toEqual([
    { attempt: 1, state: 'looking' },
    { attempt: 1, state: 'looked', problems: [problem], screenshots },
  ]);
});

describe('a screenshot', () => {
  const picture = (name: string) => Buffer.from(name);
  const looks = new Map<number, Look | NoLook>([
    [1, { state: 'looked', problems: [], screenshots: new Map([[390, picture('1-390')]] as const) }],
    [2, { state: 'looked', problems: [], screenshots: new Map([[1280, picture('2-1280')]] as const) }],
  ]);
  const owned = generation([ended(1), looked(1), ended(2), looked(2)], { owner: 'key-1' });
  const ports = {
    generations: { find: async (id: string) => (id === ID ? owned : undefined) },
    files: { look: async (_id: string, attempt: number) => looks.get(attempt) },
    clock: () => 0,
  } as never;
  const route = generationRoutes(ports).find(({ path }) => path.endsWith('/screenshot'));
  const get = (query: Record<string, string>, caller = { id: 'key-1' }, id = ID) =>
    route?.call({ query, headers: {}, caller, target: { params: { id } } } as never);

  it.each([
    [{}, '2-1280', 'private, no-cache'],
    [{ attempt: '2', width: '1280' }, '2-1280', 'private, max-age=86400, immutable'],
    [{ attempt: '1', width: '390' }, '1-390', 'private, max-age=86400, immutable'],
  ])('with %j is %s', async (query, expected, cached) => {
    const response = await get(query);
    expect(String(response?.bytes)).toBe(expected);
    expect(response?.headers).toEqual({
      'X-Generation-Id': ID,
      'Content-Type': 'image/png',
      'Cache-Control': cached,
    });
  });

  it.each([
    ['of another width', { attempt: '2', width: '390' }, 404],
    ['of an attempt without one', { attempt: '3' }, 404],
    ['of an unknown width', { width: '800' }, 400],
    ['of an attempt that is no number', { attempt: '1e3' }, 400],
    ['of attempt 0', { attempt: '0' }, 400],
  ])('%s is an error', async (_name, query, status) => {
    await expect(get(query)).rejects.toMatchObject({ status });
  });

  it('is visible to those who see the generation only', async () => {
    await expect(get({}, { id: 'key-2' })).rejects.toMatchObject({ status: 404 });
    await expect(get({}, undefined, 'k'.repeat(21))).rejects.toMatchObject({ status: 404 });
  });
});
