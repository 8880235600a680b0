import type { DataRequest } from './request.ts';
import { type DataResponse, emptyResponse } from './response.ts';

/** The module that pages import, as `.data/client.js`. It works at any depth of the site, and without a build. */
export const CLIENT_MODULE = `/** The data of this site. What collections there are, and who may do what, is in _data.json. */

const FASTEST = 3000;
const SLOWEST = 30000;
const watchers = new Map();

/** Why a request failed: code is 'invalid' (with the field), 'full', 'duplicate', 'forbidden', 'not_found' and so on. */
export class DataError extends Error {
  constructor(status, { error, code, field } = {}) {
    super(error || 'The data cannot be reached (' + status + ')');
    this.name = 'DataError';
    this.status = status;
    this.code = code || 'unavailable';
    if (field) this.field = field;
  }
}

/** Returns { owner, collections }: what this visitor may do with each collection. */
export const me = () => send('GET', '');

/** Returns the functions of a collection. */
export function collection(name) {
  const path = encodeURIComponent(name);
  const at = (id) => path + '/' + encodeURIComponent(id);
  const change = async (...request) => {
    const result = await send(...request);
    for (const look of watchers.get(name) ?? []) look();
    return result;
  };
  return {
    /** Returns { items, next }, newest first; next is the cursor of the following page, or null. */
    list: (options) => send('GET', path + query(options)),
    get: (id) => send('GET', at(id)),
    /** Takes an object, or the FormData of a form, whose numbers and ticks then follow the schema. Returns the item. */
    create: (fields) => change('POST', path, fields, newKey()),
    update: (id, fields) => change('PATCH', at(id), fields),
    delete: (id) => change('DELETE', at(id)),
    /** Takes an item as it was shown to the owner, and fails with 'conflict' if it has changed since; or an id. */
    approve: (item) => change('POST', at(item.id ?? item) + '/approve' + query({ seen: item.updatedAt })),
    count: async () => (await send('GET', path + '/count')).count,
    tally: async () => (await send('GET', path + '/tally')).tally,
    /** Calls render(items) with the newest items, now and when they change. Returns a function that stops this. */
    watch: (render, options) => watch(name, path, render, options),
  };
}

function watch(name, path, render, { limit, mine, onError } = {}) {
  const url = address(path + query({ limit, mine }));
  let etag, timer, asking, again, stopped, failed;
  let pause = FASTEST;
  let asked = -FASTEST;
  const fail = (error) => {
    if (onError) onError(error);
    else if (!failed) console.error(error);
    failed = true;
  };
  const load = async () => {
    const response = await fetch(url, { cache: 'no-store', headers: etag ? { 'If-None-Match': etag } : {} });
    if (response.status === 304) return undefined;
    const { items } = await read(response);
    etag = response.headers.get('ETag');
    return items;
  };
  const ask = async () => {
    clearTimeout(timer);
    if (stopped || document.hidden) return;
    if (asking) return void (again = true);
    asking = true;
    again = false;
    asked = performance.now();
    let items;
    try {
      items = await load();
      pause = items ? FASTEST : Math.min(SLOWEST, pause * 1.3);
      failed = false;
    } catch (error) {
      pause = Math.min(SLOWEST, pause * 2);
      // What comes next is rendered even if it is the same, so that a page can take back what it said of the error.
      etag = undefined;
      if (!stopped) fail(error);
    }
    asking = false;
    if (stopped) return;
    if (again) ask();
    else timer = setTimeout(ask, pause);
    if (items) render(items);
  };
  /** Asks at once, or when the fastest pause has passed. */
  const shown = () => {
    clearTimeout(timer);
    pause = FASTEST;
    if (!document.hidden) timer = setTimeout(ask, Math.max(0, asked + FASTEST - performance.now()));
  };
  const own = () => {
    pause = FASTEST;
    ask();
  };
  const all = watchers.get(name) ?? new Set();
  watchers.set(name, all.add(own));
  document.addEventListener('visibilitychange', shown);
  addEventListener('online', shown);
  ask();
  return () => {
    stopped = true;
    clearTimeout(timer);
    all.delete(own);
    document.removeEventListener('visibilitychange', shown);
    removeEventListener('online', shown);
  };
}

/** Sends a request. One with a key is repeated after a failure of the network: the service then does it once. */
async function send(method, path, fields, key) {
  const headers = {};
  if (key) headers['Idempotency-Key'] = key;
  let body;
  if (fields instanceof FormData) body = new URLSearchParams(fields);
  else if (fields !== undefined) {
    body = JSON.stringify(fields);
    headers['Content-Type'] = 'application/json';
  }
  for (let tries = 1; ; tries++) {
    try {
      const response = await fetch(address(path), { method, headers, body, cache: 'no-store' });
      return await read(response);
    } catch (error) {
      const passes = !(error instanceof DataError) || error.status >= 502 || error.code === 'conflict';
      if (!key || !passes || tries === 3) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000 * tries));
    }
  }
}

async function read(response) {
  const isJson = (response.headers.get('Content-Type') ?? '').includes('json');
  const value = isJson ? await response.json() : undefined;
  if (!response.ok) throw new DataError(response.status, value);
  return value;
}

function address(path) {
  return new URL('./' + path, import.meta.url);
}

function query(options) {
  const set = Object.entries(options ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== false);
  return set.length ? '?' + new URLSearchParams(set) : '';
}

function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
`;

const ETAG = `"${checksum(CLIENT_MODULE)}"`;

/** Responds with the module. Its functions stay what they are, so that browsers can keep it for an hour. */
export function clientResponse({ headers }: Pick<DataRequest, 'headers'>): DataResponse {
  const described = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
    'X-Content-Type-Options': 'nosniff',
    ETag: ETAG,
  };
  if (headers['if-none-match']?.includes(ETAG)) return emptyResponse(304, described);
  return { status: 200, headers: described, body: new TextEncoder().encode(CLIENT_MODULE) };
}

/** Returns a checksum of a text (FNV-1a). */
function checksum(text: string): string {
  let sum = 0x811c9dc5;
  for (const character of text) sum = Math.imul(sum ^ character.charCodeAt(0), 0x01000193);
  return (sum >>> 0).toString(36);
}
