import { randomUUID } from 'node:crypto';
import { HttpError, readJson, sendJson } from './http.js';
import { list } from './list.js';
import { resource, validate } from './schema.js';
import { all, find, replace } from './store.js';

const COLLECTION = `/api/${resource}`;

function existing(id) {
  const entry = find(id);
  if (!entry) throw new HttpError(404, 'There is nothing with this id');
  return entry;
}

const collection = {
  async GET(_request, response, url) {
    const { entries, headers } = list(all(), url);
    sendJson(response, 200, entries, headers);
  },
  async POST(request, response) {
    const values = validate(await readJson(request), { partial: false });
    const entry = { id: randomUUID(), ...values, createdAt: new Date().toISOString() };
    await replace([...all(), entry]);
    sendJson(response, 201, entry, { location: `${COLLECTION}/${entry.id}` });
  },
};

const item = {
  async GET(_request, response, _url, id) {
    sendJson(response, 200, existing(id));
  },
  async PATCH(request, response, _url, id) {
    existing(id);
    const changes = validate(await readJson(request), { partial: true });
    const changed = { ...existing(id), ...changes };
    await replace(all().map((entry) => (entry.id === id ? changed : entry)));
    sendJson(response, 200, changed);
  },
  async DELETE(_request, response, _url, id) {
    existing(id);
    await replace(all().filter((entry) => entry.id !== id));
    response.writeHead(204).end();
  },
};

/** Handles a request to a path below /api. Throws HttpError for every client error. */
export async function handle(request, response, url) {
  const [, rest] = url.pathname.split(COLLECTION);
  const isItem = /^\/[^/]+$/.test(rest ?? '');
  const methods = !url.pathname.startsWith(COLLECTION) ? undefined : isItem ? item : rest === '' ? collection : undefined;
  if (!methods) throw new HttpError(404, `There is nothing at ${url.pathname}`);
  const answer = methods[request.method];
  const allow = Object.keys(methods).join(', ');
  if (!answer) throw new HttpError(405, `Use one of ${allow}`, { allow });
  await answer(request, response, url, rest.slice(1));
}
