import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list } from '../src/list.js';

const entries = Array.from({ length: 120 }, (_, index) => ({
  id: `id-${index}`,
  createdAt: new Date(index * 1000).toISOString(),
}));
const ask = (query) => list(entries, new URL(`http://localhost/api/things?${query}`));

test('a page has 50 entries by default and 200 at most', () => {
  assert.equal(ask('').entries.length, 50);
  assert.equal(ask('limit=7').entries.length, 7);
  assert.equal(ask('limit=999').entries.length, 120);
  assert.equal(ask('').headers['x-total-count'], '120');
});

test('links lead to the previous and the next page and keep the query', () => {
  const { link } = ask('limit=50&offset=50&sort=-createdAt').headers;
  assert.match(link, /offset=0&sort=-createdAt>; rel="prev"/);
  assert.match(link, /offset=100&sort=-createdAt>; rel="next"/);
  assert.equal(ask('limit=200').headers.link, undefined);
});

test('entries are searched, filtered and sorted', () => {
  assert.deepEqual(ask('search=ID-11').entries.map(({ id }) => id), ['id-11', 'id-110', 'id-111', 'id-112', 'id-113', 'id-114', 'id-115', 'id-116', 'id-117', 'id-118', 'id-119']);
  assert.deepEqual(ask('id=id-3').entries, [entries[3]]);
  assert.equal(ask('sort=-createdAt').entries[0].id, 'id-119');
});

test('an invalid parameter is a 400', () => {
  for (const query of ['limit=ten', 'offset=-1', 'sort=shoe-size']) {
    assert.throws(() => ask(query), { status: 400 }, query);
  }
});
