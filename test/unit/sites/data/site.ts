import { parseDeclaration } from '../../../../lambda/sites/data/declaration.ts';
import { MemoryStore } from '../../../../lambda/sites/data/memory-store.ts';
import { type DataContext, type DataRequest, dataOperation } from '../../../../lambda/sites/data/operations.ts';
import type { DataStore } from '../../../../lambda/sites/data/store.ts';

const ORIGIN = 'https://site.example';
export const NOW = Date.UTC(2026, 10, 5, 12);

/** Who sends a request: a stranger is a visitor without a cookie, and an outsider one of a site without an origin of its own. */
export type Who = 'owner' | 'ann' | 'bob' | 'stranger' | 'outsider';

export interface Sent {
  readonly json?: unknown;
  readonly form?: Record<string, string> | string | undefined;
  readonly headers?: Record<string, string | undefined>;
  readonly folder?: string;
}

/** A site with data in memory. */
export class TestSite {
  readonly store: DataStore;
  readonly minted: string[] = [];
  now = NOW;
  readonly #declaration: DataContext['declaration'];
  readonly #base: string;
  readonly #byRequest = new Map<string, string>();
  #ids = 0;

  constructor(declaration: object, store: DataStore = new MemoryStore(), base = '/') {
    this.#declaration = parseDeclaration(JSON.stringify(declaration));
    this.store = store;
    this.#base = base;
  }

  async send(who: Who, method: string, url: string, sent: Sent = {}) {
    const [path = '', rawQuery = ''] = url.split('?');
    const { json, form, headers, folder = '' } = sent;
    const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
    const text =
      json === undefined
        ? String(typeof form === 'object' ? new URLSearchParams(form) : (form ?? ''))
        : JSON.stringify(json);
    const request: DataRequest = {
      method,
      path,
      folder,
      rawQuery,
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': type, ...headers },
      body: new TextEncoder().encode(text),
    };
    const { status, headers: fields, body, created } = await dataOperation(request, this.#context(who));
    const content = new TextDecoder().decode(body);
    const isJson = content !== '' && fields['Content-Type'] === 'application/json';
    return {
      status,
      headers: fields,
      text: content,
      json: isJson ? JSON.parse(content) : undefined,
      created,
    };
  }

  #context(who: Who): DataContext {
    const newId = () => `i${String(++this.#ids).padStart(6, '0')}`;
    return {
      declaration: this.#declaration,
      store: this.store,
      caller: { owner: who === 'owner', visitor: who === 'ann' || who === 'bob' ? who : undefined },
      newVisitor: who === 'outsider' ? undefined : (request) => this.#mint(request),
      clock: () => this.now,
      newItemId: newId,
      idFor: (key) => `k-${key.replace(/\W/g, '-')}`,
      origin: ORIGIN,
      base: this.#base,
    };
  }

  #mint(request = ''): string {
    const visitor = this.#byRequest.get(request) ?? `new-${this.minted.length + 1}`;
    this.minted.push(visitor);
    if (request !== '') this.#byRequest.set(request, visitor);
    return visitor;
  }
}

export const SCHEMA = {
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: 'string', minLength: 1, maxLength: 20_000 },
    email: { type: 'string', format: 'email' },
    choice: { type: 'string', enum: ['a', 'b'] },
    address: { type: 'object', properties: { city: { type: 'string' }, zip: { type: 'string' } } },
  },
};
export const OPEN = {
  create: 'visitor',
  read: 'visitor',
  update: 'visitor',
  delete: 'visitor',
  count: 'visitor',
};
export const siteWith = (rules: object, schema: object = SCHEMA) => new TestSite({ notes: { ...rules, schema } });

export async function create(site: TestSite, who: Who, fields: object = { text: 'Hello' }) {
  const { json, status } = await site.send(who, 'POST', 'notes', { json: fields });
  expect(status).toBe(201);
  return json.id as string;
}

export const textsIn = ({ json }: { json: { items: { text: string }[] } }) => json.items.map(({ text }) => text);
