import { readFileSync } from 'node:fs';
import { DOCUMENT_NAMES, documentFile } from '../../web/openapi/files.ts';
import { newCaller } from './client.ts';

const caller = newCaller();
const headers = { origin: 'https://elsewhere.example' };

it.each(DOCUMENT_NAMES)('serves /api/v1/%s to pages of any origin', async (name) => {
  const answer = await caller.send(`/api/v1/${name}`, { headers });
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'cache-control': 'max-age=0, s-maxage=300',
      'x-content-type-options': 'nosniff',
    },
  });
  expect(answer.text === readFileSync(documentFile(name), 'utf8')).toBe(true);
});

it('responds to other paths beside the documents as the API does', async () => {
  const { status, json } = await caller.send('/api/v1/openapi.yaml');
  expect({ status, json }).toEqual({ status: 404, json: { error: expect.stringContaining('/docs') } });
});

it.each(['/', '/docs'])('links from %s to the description of the API', async (path) => {
  const answer = await caller.send(path);
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      link: '</api/v1/openapi.json>; rel="service-desc"',
      'x-frame-options': 'DENY',
    },
  });
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
});
