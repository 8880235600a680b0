import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { newCaller } from '../support/cloud/client.ts';

const GENERATIONS = '/api/v1/generations';

/** Responses of more than 10,240 bytes: from a function that streams, and from one that does not. */
describe('the JSON of a large response', () => {
  const caller = newCaller();
  let generation: string;
  beforeAll(async () => {
    const made = await caller.post('/api/v1/generate', { prompt: 'a kanban board' });
    generation = `${GENERATIONS}/${made.headers['x-generation-id']}`;
  });
  const hashes = Array.from({ length: 200 }, (_, i) => createHash('sha256').update(String(i)).digest('hex'));
  const files = hashes.map((sha256, i) => ({ path: `${i}.txt`, sha256 }));
  const unknown = (headers: Record<string, string>) =>
    newCaller().post('/api/v1/deploy', { projectId: crypto.randomUUID(), files }, headers);
  const result = (headers: Record<string, string>) => newCaller().send(`${generation}/result`, { headers });

  it.each(['gzip', 'br, gzip;q=0.5', 'x-gzip', '*', 'GZIP'])('is gzip for %s', async (accepted) => {
    for (const send of [unknown, result]) {
      const { headers, bytes, status } = await send({ 'accept-encoding': accepted });
      expect(headers).toMatchObject({
        'content-encoding': 'gzip',
        'content-type': 'application/json',
        vary: 'Accept-Encoding',
      });
      const plain = await send({});
      expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding' });
      expect(plain.headers).not.toHaveProperty('content-encoding');
      expect(status).toBe(plain.status);
      expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(plain.json);
      expect(bytes.length).toBeLessThan(plain.bytes.length);
    }
  });

  it.each(['identity', 'br', 'gzip;q=0', '*;q=0', '*, gzip;q=0'])('is not for %s', async (accepted) => {
    for (const send of [unknown, result]) {
      const { headers, bytes } = await send({ 'accept-encoding': accepted });
      expect(headers).not.toHaveProperty('content-encoding');
      expect(bytes.toString()).toMatch(/^\{/);
    }
  });

  it('is not compressed if it is short, or a stream of events', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const short = await caller.send(`${GENERATIONS}/unknown`, { headers });
    expect(short.headers).not.toHaveProperty('content-encoding');
    expect(short.headers).not.toHaveProperty('vary');
    const events = await newCaller().send(generation, {
      headers: { ...headers, accept: 'text/event-stream' },
    });
    expect(events.headers).toMatchObject({ 'content-type': expect.stringContaining('text/event-stream') });
    expect(events.headers).not.toHaveProperty('content-encoding');
    expect(events.text).toContain('event: done');
  });

  it('has the status and the headers of other errors for HEAD', async () => {
    const head = await caller.send(generation, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
    expect([head.status, head.bytes.length]).toEqual([405, 0]);
    expect(head.headers).not.toHaveProperty('content-encoding');
  });
});
