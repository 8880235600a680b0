import { planNames, type Seen } from '../../../../lambda/visits/views/view.ts';

const ALL = { room: 3, left: () => 9 };
const seenOf = (names: Readonly<Record<string, number>>, by: string | undefined = 'a') =>
  new Map(Object.entries(names).map(([name, views]): [string, Seen] => [name, { views, by }]));
const counts = (names: Readonly<Record<string, number>>) => new Map(Object.entries(names));

test('introduces names while there is room, those with most views first', () => {
  const plan = planNames(seenOf({ '/a': 1, '/b': 3, '/c': 2 }), counts({ '/': 9 }), new Map(), ALL);
  expect(plan.added).toEqual(counts({ '/b': 3, '/c': 2, '': 1 }));
  expect(plan.introducers).toEqual(['a', 'a']);
  expect(plan.passedOver).toEqual(counts({ '/a': 1 }));
});

test('does not count the views of other names as a name', () => {
  const known = counts({ '': 100, '/a': 1, '/b': 1 });
  expect(planNames(seenOf({ '/c': 1, '': 4 }), known, new Map(), ALL)).toMatchObject({
    added: counts({ '': 4, '/c': 1 }),
    introducers: ['a'],
  });
});

test('replaces the name with the fewest views once another one has more', () => {
  const known = counts({ '/a': 5, '/b': 3, '/c': 4, '': 7 });
  expect(planNames(seenOf({ '/d': 1 }), known, counts({ '/d': 2 }), ALL)).toMatchObject({
    added: counts({ '': 1 }),
    passedOver: counts({ '/d': 1 }),
  });
  const plan = planNames(seenOf({ '/d': 2 }), known, counts({ '/d': 2 }), ALL);
  expect(plan.evicted).toEqual({ name: '/b', views: 3 });
  // The two that were passed over were counted with the others.
  expect(plan.added).toEqual(counts({ '/d': 4, '': 1 }));
});

test('does not replace a name that it adds to, nor two at once', () => {
  const known = counts({ '/a': 1, '/b': 2, '/c': 2 });
  const plan = planNames(seenOf({ '/a': 1, '/d': 9, '/e': 8 }), known, new Map(), ALL);
  expect(plan.evicted).toEqual({ name: '/b', views: 2 });
  expect(plan.added).toEqual(counts({ '/d': 9, '': 10, '/a': 1 }));
});

test('lets an address introduce a limited number of names, and nobody without a salt', () => {
  const room = { room: 50, left: (by: string) => (by === 'a' ? 1 : 9) };
  const seen = new Map([...seenOf({ '/a': 3, '/b': 2 }), ...seenOf({ '/c': 1 }, 'b')]);
  expect(planNames(seen, new Map(), new Map(), room)).toMatchObject({
    added: counts({ '/a': 3, '/c': 1, '': 2 }),
    introducers: ['a', 'b'],
  });
  const unsalted = new Map([['/a', { views: 1, by: undefined }]]);
  expect(planNames(unsalted, new Map(), new Map(), room).added).toEqual(counts({ '': 1 }));
});
