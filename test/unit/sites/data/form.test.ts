import { createHash } from 'node:crypto';
import { BACK_HASH, BACK_SCRIPT, FORM_TEXTS } from '../../../../lambda/sites/data/form-page.ts';
import { MemoryStore } from '../../../../lambda/sites/data/memory-store.ts';
import { type Sent, TestSite } from './site.ts';

const SCHEMA = {
  type: 'object',
  required: ['name', 'vegan'],
  properties: {
    name: { type: 'string', minLength: 1 },
    email: { type: 'string', format: 'email' },
    seats: { type: 'integer', minimum: 1 },
    vegan: { type: 'boolean' },
    news: { type: 'boolean' },
    days: { type: 'array', items: { type: 'string', enum: ['mon', 'tue'] } },
    ages: { type: 'array', items: { type: 'number' } },
    at: { type: 'string', format: 'date-time' },
  },
};
const RULES = { entries: { create: 'visitor', read: 'visitor', most: 2, schema: SCHEMA } };

const NAVIGATION = {
  'sec-fetch-mode': 'navigate',
  accept: 'text/html,*/*',
  referer: 'https://site.example/en/form.html',
};

async function post(form: Sent['form'], more: Sent = {}, base = '/') {
  const site = new TestSite(RULES, new MemoryStore(), base);
  const sent = await site.send('stranger', 'POST', 'entries', { form, ...more });
  const { items } = await site.store.list('entries', { limit: 1, shownOnly: true });
  return { ...sent, fields: items[0]?.fields };
}

function multipart(parts: [head: string, value: string][], end = '--B1--\r\n'): Sent {
  const body = parts.map(([head, value]) => `--B1\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`);
  return { form: body.join('') + end, headers: { 'content-type': 'multipart/form-data; boundary=B1' } };
}

it.each([
  ['name=Ann&vegan=on', { name: 'Ann', vegan: true }],
  ['name=A+%C3%A4&vegan=no&news=news&seats=+2+', { name: 'A ä', vegan: false, news: true, seats: 2 }],
  ['name=Ann&email=&seats=&at=&_next=&other=1&submit=Send', { name: 'Ann', vegan: false }],
  ['name=Ann&days[]=mon&ages=1&ages=&ages=2.5', { name: 'Ann', vegan: false, days: ['mon'], ages: [1, 2.5] }],
  ['name=A&at=2026-11-05T10%3A30', { name: 'A', vegan: false, at: '2026-11-05T10:30:00Z' }],
])('reads %s by the schema', async (form, fields) => {
  const sent = await post(form);
  expect(sent.status).toBe(201);
  expect(sent.fields).toEqual(fields);
});

it.each([
  ['name=A&seats=two', 'seats', 'seats must be a number'],
  ['name=A&name=B', 'name', 'name must be a text'],
  ['name=A&vegan=maybe', 'vegan', 'vegan must be true or false'],
  ['name=A&days=sun', 'days[0]', 'days[0] must be one of mon, tue'],
])('refuses %s with its field', async (form, field, error) => {
  expect(await post(form)).toMatchObject({ status: 400, json: { code: 'invalid', field, error } });
});

describe('multipart forms', () => {
  it('are read like others', async () => {
    const sent = multipart([
      ['name="name"', 'Ann\r\n"é"'],
      ['name="days"', 'mon'],
      ['name="days"', 'tue'],
      ['name="vegan"', 'on'],
      ['name="photo"; filename=""\r\nContent-Type: application/octet-stream', ''],
    ]);
    const { fields } = await post(sent.form, sent);
    expect(fields).toEqual({ name: 'Ann\n"é"', days: ['mon', 'tue'], vegan: true });
  });

  it.each([
    [multipart([['name="photo"; filename="a.png"', 'x']]), 'photo is a file, which data cannot have'],
    [multipart([['name="name"', 'Ann']], ''), 'The form is not complete'],
    [multipart([['id="name"', 'Ann']]), 'The form has a part without a name'],
  ])('are refused: %#', async (sent, error) => {
    expect(await post(sent.form, sent)).toMatchObject({ status: 400, json: { error } });
  });
});

it.each([
  ['an object in the trap', '{"name":"Ann","_gotcha":{"toString":1}}', 201],
  ['a deep list in the trap', `{"name":"Ann","_gotcha":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 201],
  ['a deep list beside the trap', `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)},"_gotcha":"x"}`, 201],
  ['an object as the next page', '{"name":"Ann","vegan":true,"_next":{"toString":1}}', 201],
])('survives %s', async (_, form, status) => {
  expect(await post(form, { headers: { 'content-type': 'application/json' } })).toMatchObject({ status });
});

it.each([NAVIGATION, {}])('answers a program in the trap as it answers others: %#', async (headers) => {
  const sent = await post('name=Ann&_gotcha=x', { headers });
  const other = await post('name=Ann&_gotcha=', { headers });
  expect(sent.fields).toBeUndefined();
  expect(sent.created).toBeUndefined();
  expect(other.fields).toBeDefined();
  expect(sent.status).toBe(other.status);
  expect(sent.text).toBe(other.text);
});

it('does not take the fields of the form for those of the item in JSON', async () => {
  const json = { name: 'Ann', vegan: true, _next: '/thanks', _gotcha: '' };
  expect((await post(undefined, { json })).fields).toEqual({ name: 'Ann', vegan: true });
  const trapped = await post(undefined, { json: { ...json, _gotcha: 'x' } });
  expect([trapped.status, trapped.fields]).toEqual([201, undefined]);
});

describe('_next', () => {
  it.each([
    ['thanks.html?a=b#c', '/', 'en/', '/en/thanks.html?a=b#c'],
    ['./', '/', 'en/', '/en/'],
    ['/thanks.html', '/d/x1/', '', '/d/x1/thanks.html'],
  ])('%s of %s%s leads to the page', async (next, base, folder, location) => {
    const form = { name: 'Ann', _next: next };
    const sent = await post(form, { headers: NAVIGATION, folder }, base);
    expect([sent.status, sent.headers.Location]).toEqual([303, location]);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    '/\t/evil.example',
    '/%2f/evil.example',
    '%252f%252fevil.example',
    '/%5cevil.example',
    '/%0d%0aSet-Cookie:a=b',
    '/%09/evil.example',
    '/..//evil.example',
    `/${'a'.repeat(1_001)}`,
  ])('%j leads nowhere', async (next) => {
    const sent = await post({ name: 'Ann', _next: next }, { headers: NAVIGATION });
    expect([sent.status, sent.headers.Location]).toEqual([200, undefined]);
  });

  it.each(['../x2/', '/../x2/', '..%2fx2/', '/%2e%2e/x2/', '/d/x1/../x2/'])('%j stays in the site', async (next) => {
    const sent = await post({ name: 'Ann', _next: next }, { headers: NAVIGATION }, '/d/x1/');
    expect(sent.headers.Location ?? '/d/x1/').toMatch(/^\/d\/x1\/(?!.*\.\.\/)/);
  });
});

describe('the page after a form', () => {
  it.each([
    ['de-AT,en;q=0.5', 'de'],
    ['es', 'es'],
    ['fr', 'fr'],
    ['pt-BR', 'pt'],
  ] as const)('speaks the language of the visitor: %s', async (accept, lang) => {
    const { status, text, headers } = await post('name=Ann', {
      headers: { ...NAVIGATION, 'accept-language': accept },
    });
    expect(status).toBe(200);
    expect(text).toContain(`<html lang="${lang}">`);
    expect(text).toContain(FORM_TEXTS[lang].sent[0]);
    expect(text).toContain('href="/en/form.html"');
    expect(headers).toMatchObject({
      'Cache-Control': 'private, no-store, stale-if-error=0',
      'Content-Language': lang,
    });
  });

  it('says what is wrong, and leads back to what was typed', async () => {
    const sent = await post('name=', { headers: NAVIGATION });
    expect(sent.status).toBe(400);
    expect(sent.text).toContain('<strong>name</strong>');
    expect(sent.text).toContain(FORM_TEXTS.en.refused[1]);
    expect(sent.text).toContain(`<script>${BACK_SCRIPT}</script>`);
  });

  it('is in other languages, too, when all places are taken', async () => {
    const site = new TestSite(RULES);
    const headers = { ...NAVIGATION, 'accept-language': 'de' };
    const send = () => site.send('stranger', 'POST', 'entries', { form: 'name=Ann', headers });
    await send();
    await send();
    const full = await send();
    expect(full.status).toBe(409);
    expect(full.text).toContain(FORM_TEXTS.de.full);
  });

  it('is also that of a form of another site, which creates nothing', async () => {
    const sent = await post('name=Ann', { headers: { ...NAVIGATION, 'sec-fetch-site': 'cross-site' } });
    expect([sent.status, sent.fields]).toEqual([403, undefined]);
    expect(sent.text).toContain(FORM_TEXTS.en.forbidden);
  });

  it('runs its own script only', async () => {
    expect(createHash('sha256').update(BACK_SCRIPT).digest('base64')).toBe(BACK_HASH.replace('sha256-', ''));
    const { headers } = await post('name=Ann', { headers: NAVIGATION });
    expect(headers['Content-Security-Policy']).toContain(`script-src '${BACK_HASH}'`);
  });

  it.each([undefined, 'no URL'])('leads to the site from %s', async (referer) => {
    const { text } = await post('name=Ann', { headers: { ...NAVIGATION, referer } });
    expect(text).toContain('<a id="back" href="/">');
  });
});
