import { parseDeclaration } from '../../../../lambda/sites/data/declaration.ts';
import { MARKUP_ALERT, samplesOf } from '../../../../lambda/sites/data/samples.ts';
import { TrialData } from '../../../../lambda/sites/data/trial.ts';
import { NOW } from './site.ts';

const PROPERTIES = {
  text: { type: 'string', maxLength: 400 },
  short: { type: 'string', maxLength: 8 },
  time: { type: 'string', maxLength: 5 },
  code: { type: 'string', minLength: 30, maxLength: 31 },
  email: { type: 'string', format: 'email' },
  link: { type: 'string', format: 'uri' },
  day: { type: 'string', format: 'date' },
  at: { type: 'string', format: 'date-time' },
  choice: { type: 'string', enum: ['a', 'b'] },
  seats: { type: 'integer', minimum: 2, maximum: 3 },
  below: { type: 'number', exclusiveMaximum: -5 },
  ok: { type: 'boolean' },
  tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
  place: { type: 'object', properties: { city: { type: 'string' } } },
};
const SCHEMA = { type: 'object', required: Object.keys(PROPERTIES), properties: PROPERTIES };
const declare = (rules: object) => JSON.stringify({ notes: { schema: SCHEMA, ...rules } });

it('makes samples of any schema, with markup and long texts', () => {
  const collection = parseDeclaration(declare({})).collections.get('notes');
  if (!collection) throw new Error('not declared');
  const samples = samplesOf(collection);
  expect(samples).toHaveLength(3);
  expect(samples[0]?.text).toContain(`onerror=alert('${MARKUP_ALERT}')`);
  expect(String(samples[1]?.text)).toHaveLength(400);
  expect(samplesOf({ ...collection, most: 2 })).toHaveLength(1);
  // A look is on 15 January, and chooses 3 February in fields for dates.
  expect(samples.map(({ day }) => day)).toEqual(['2026-01-16', '2026-02-03', '2026-01-16']);
  // A stranger can enter anything, the owner what the page offers.
  const timesBy = (create: 'visitor' | 'owner') => samplesOf({ ...collection, create }).map(({ time }) => time);
  expect(timesBy('owner')).toEqual(['09:30', '14:00', '18:15']);
  expect(timesBy('visitor')).toEqual(['09:30', 'Rindf', '18:15']);
});

describe('TrialData', () => {
  const place = { origin: 'https://page.invalid', base: '/d/look/' };
  const get = async (data: TrialData | undefined, path: string, headers = {}) => {
    const request = { method: 'GET', headers, body: new Uint8Array() };
    const response = await data?.respond(new URL(`/d/look/${path}`, place.origin), request, place);
    return response && { status: response.status, json: JSON.parse(new TextDecoder().decode(response.body)) };
  };
  const open = (rules: object) => TrialData.of(declare(rules), () => NOW);

  it('responds below .data/ at any depth, and nowhere else', async () => {
    const data = open({ read: 'visitor' });
    for (const path of ['.data/notes', 'en/.data/notes', 'en/us/.data/notes?limit=1'])
      expect(await get(data, path)).toEqual({ status: 200, json: { items: [], next: null } });
    for (const path of ['', 'data/notes', 'x.data/notes', '.data', 'notes'])
      expect(await get(data, path)).toBeUndefined();
  });

  it('lets the owner become a visitor', async () => {
    const data = open({});
    if (!data) throw new Error('not declared');
    data.isOwner = true;
    const request = { method: 'DELETE', headers: {}, body: new Uint8Array() };
    expect(await data.respond(new URL('/d/look/.data/owner', place.origin), request, place)).toMatchObject({
      status: 204,
    });
    expect((await get(data, '.data/'))?.json).toMatchObject({ owner: false });
  });

  it('is filled with items of others and of the visitor, which count', async () => {
    const data = open({
      read: 'visitor',
      create: 'visitor',
      delete: 'author',
      count: 'visitor',
      tally: 'choice',
    });
    await data?.fill();
    const { items } = (await get(data, '.data/notes'))?.json ?? {};
    expect(items.map(({ mine }: { mine?: true }) => mine)).toEqual([true, undefined, undefined]);
    expect((await get(data, '.data/notes/tally'))?.json).toEqual({ tally: { a: 2, b: 1 } });
  });

  it('leaves the visitor a vote', async () => {
    const data = open({ create: 'visitor', unique: 'visitor' });
    await data?.fill();
    expect((await get(data, '.data/notes?mine=true'))?.json.items).toEqual([]);
  });

  it('is restored as it was saved', async () => {
    const data = open({ read: 'visitor' });
    await data?.fill();
    const again = open({ read: 'visitor' });
    again?.restore(data?.save() ?? '');
    const before = await get(data, '.data/notes');
    expect(await get(again, '.data/notes')).toEqual(before);
    expect(before?.json.items).toHaveLength(3);
  });

  it('is missing without a declaration that a deploy would take', () => {
    expect(TrialData.of(undefined, () => NOW)).toBeUndefined();
    expect(TrialData.of('{', () => NOW)).toBeUndefined();
  });
});
