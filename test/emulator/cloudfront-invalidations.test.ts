import { Rollout } from '../../local/cloud/cloudfront/edges.ts';
import { type EdgeSeconds, Invalidations } from '../../local/cloud/cloudfront/invalidations.ts';
import { testRows } from '../support/rows.ts';

const SECONDS: EdgeSeconds = { effect: [1, 5], completion: [2, 25] };

let now: number;
/** The milliseconds after which each invalidation takes effect, by edge. */
let effects: number[][];
let invalidations: Invalidations;

beforeEach(() => {
  now = 1_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  effects = [[], [], []];
  const edges = effects.map((one) => ({
    invalidate: (_: readonly string[], at: number) => one.push(at - now),
  }));
  invalidations = new Invalidations(edges, SECONDS);
});

afterEach(() => jest.restoreAllMocks());

const create = (callerReference: string, ...items: string[]) => invalidations.create({ callerReference, items });
const many = (count: number, suffix = '') => Array.from({ length: count }, (_, i) => `/${i}${suffix}`);

test('are the same for the same caller reference and items, and an error for other items', () => {
  const first = create('r', '/a', '#b');
  expect(create('r', '/a', '#b')).toBe(first);
  expect(effects[0]).toHaveLength(1);
  expect(() => create('r', '/a')).toThrow(expect.objectContaining({ code: 'InvalidationBatchAlreadyExists' }));
  expect(invalidations.find(first.id)).toBe(first);
  expect(() => invalidations.find('INONE')).toThrow(expect.objectContaining({ code: 'NoSuchInvalidation' }));
});

testRows([['a'], ['/a*b'], ['#a,b'], ['#'], [`#${'a'.repeat(257)}`], ['/ö']])('reject an invalid item', (item) => {
  expect(() => create('r', item)).toThrow(expect.objectContaining({ code: 'InvalidArgument' }));
});

test.each([
  ['3000 paths and tags', [...many(2999), '#a'], '/more'],
  ['15 wildcards', many(15, '*'), '/more*'],
])('are limited to %s in progress', (_name, items, more) => {
  create('first', ...items);
  expect(() => create('second', more)).toThrow(expect.objectContaining({ code: 'TooManyInvalidationsInProgress' }));
  expect(effects[0]).toHaveLength(1);
  create('third', more.endsWith('*') ? '/more' : '/more*');
  now += 25_000;
  create('second', more);
});

describe('a change of a configuration', () => {
  let rollout: Rollout<string>;
  beforeEach(() => {
    rollout = new Rollout('old', 5, { effect: [2, 9], completion: [5, 12] });
  });
  it('is changed only by an update of the configuration that is current', () => {
    const { etag } = rollout;
    rollout.update('new', etag);
    expect(() => rollout.update('newer', etag)).toThrow(expect.objectContaining({ code: 'PreconditionFailed' }));
    expect(() => rollout.update('newer', undefined)).toThrow(
      expect.objectContaining({ code: 'InvalidIfMatchVersion' }),
    );
    expect(rollout.configured).toBe('new');
  });
});
