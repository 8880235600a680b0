import { type DataRequest, type DataResponse, emptyResponse } from './http.ts';

/** The module that pages import, as `.data/client.js`. It works at any depth of the site, and without a build. */
export const CLIENT_MODULE = `/** The data of this site. What collections there are, and who may do what, is in _data.json. */

const FASTEST = 3000;
const SLOWEST = 30000;
/** The most items in one response, and in a list. */
const PAGE = 100;
const MOST = 1000;
const watchers = new Map();
/** The first request of this page that needs a visitor. */
let first;

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

/** Makes the owner's browser that of a visitor again. */
export const leave = () => send('DELETE', 'owner');

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
    /** Returns { items, next }, newest first; next is the cursor of what follows, or null. The limit is 50, at most 1000. */
    list: (options) => {
      const load = async () => whole(await send('GET', page(path, options)), path, options);
      return options?.mine ? asVisitor(load) : load();
    },
    get: (id) => send('GET', at(id)),
    /** Takes an object, or the FormData of a form, whose numbers and ticks then follow the schema. Returns the item. */
    create: (fields) => asVisitor(() => change('POST', path, fields, newKey())),
    /** Takes the fields that change, in an object or a FormData, which lacks boxes without a tick; null removes a field. */
    update: (id, fields) => change('PATCH', at(id), fields),
    delete: (id) => change('DELETE', at(id)),
    /** Takes an item as it was shown to the owner, and fails with 'conflict' if it has changed since; or an id. */
    approve: (item) => change('POST', at(item.id ?? item) + '/approve' + query({ seen: item.updatedAt })),
    count: async () => (await send('GET', path + '/count')).count,
    tally: async () => (await send('GET', path + '/tally')).tally,
    /**
     * Calls render(items) with the newest items (limit: 50, at most 1000), now and when they change. It asks every 3 s, and less often while nothing happens,
     * unless the options have live: true. Returns a function that stops this.
     */
    watch: (render, options) => watch(name, path, render, options),
  };
}

function watch(name, path, render, { limit, mine, live, onError } = {}) {
  const url = address(page(path, { limit, mine }));
  let etag, timer, asking, again, stopped, failed;
  let pause = FASTEST;
  let asked = -FASTEST;
  const fail = (error) => {
    if (onError) onError(error);
    else if (!failed) console.error(error);
    failed = true;
  };
  const request = () => fetch(url, { cache: 'no-store', headers: etag ? { 'If-None-Match': etag } : {} });
  const load = async () => {
    const response = await (mine ? asVisitor(request) : request());
    if (response.status === 304) return undefined;
    const { items } = await whole(await read(response), path, { limit, mine });
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
      pause = items || live ? FASTEST : Math.min(SLOWEST, pause * 1.3);
      failed = false;
    } catch (error) {
      pause = Math.min(SLOWEST, pause * 2);
      // Too many people share the address: what is shown is only late.
      if (error.status !== 429 || !etag) {
        // What comes next is rendered even if it is the same, so that a page can take back what it said of the error.
        etag = undefined;
        if (!stopped) fail(error);
      }
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

/** Returns the path of a page with as many items as are wanted or fit into one. */
function page(path, options) {
  const { limit } = options ?? {};
  return path + query({ ...options, limit: limit > PAGE ? PAGE : limit });
}

/** Returns a list with the pages that follow its first one, up to the limit. */
async function whole(list, path, options) {
  const most = Math.min(options?.limit ?? 0, MOST);
  while (list.next && list.items.length < most) {
    const left = most - list.items.length;
    const more = await send('GET', page(path, { ...options, limit: left, cursor: list.next }));
    list = { items: [...list.items, ...more.items], next: more.next };
  }
  return list;
}

/** Sends a request after the first one, whose response has the cookie of a new visitor: both would have one otherwise. */
function asVisitor(request) {
  if (first) return first.then(request);
  const sent = request();
  first = sent.catch(() => {});
  return sent;
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
  // API Gateway says that it is JSON.
  if (response.status === 204) return undefined;
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

/** Returns a random UUID, which crypto.randomUUID() does on https: only. By it, the service recognizes a visitor without a cookie. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
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
