import type { ServerResponse } from 'node:http';
import type { GenerationEvent } from '../../../client/client.ts';
import { SOAK } from '../../support/soak.ts';
import { json, startService } from './scripted-service.ts';

const ID = 'V1StGXR8_Z5jdHi6B-myT';
const EVENTS = [
  { id: 1, type: 'queued', data: { at: 1 } },
  { id: 2, type: 'file', data: { path: 'ä', content: '😀' } },
  { id: 3, type: 'done', data: { files: [], model: '€' } },
];

/** The stream after an event, with every kind of line end. */
const streamAfter = (last: number, end: string) =>
  [
    `retry: 1000${end}${end}`,
    ...EVENTS.slice(last).map(
      ({ id, type, data }) =>
        `id: ${id}${end}event: ${type}${end}data: ${JSON.stringify(data)}${end}${end}:${end}${end}`,
    ),
  ].join('');

/** How a connection ends after a number of bytes. */
const ENDS = {
  'is closed': (response) => response.socket?.destroy(),
  'is reset': (response) => response.socket?.resetAndDestroy(),
  'ends cleanly': (response) => response.end(),
} satisfies Record<string, (response: ServerResponse) => unknown>;
const NAMES = Object.keys(ENDS) as (keyof typeof ENDS)[];

it.each(NAMES)('yields each event once when the first connection %s after any byte', async (how) => {
  let limit = 0;
  const keys: unknown[] = [];
  const service = await startService([
    (response, request) => {
      if (request.headers.accept !== 'text/event-stream') return json(200, { id: ID })(response, request);
      if (request.method === 'POST') keys.push(request.headers['idempotency-key']);
      const end = ['\n', '\r\n', '\r'][limit % 3] as string;
      const rest = Buffer.from(streamAfter(Number(request.headers['last-event-id'] ?? 0), end));
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-generation-id': ID });
      if (service.received.length > 1) return response.end(rest);
      response.flushHeaders();
      return response.write(rest.subarray(0, limit), () => ENDS[how](response));
    },
  ]);
  const { length } = Buffer.from(streamAfter(0, '\r\n'));
  for (limit = 1; limit < length; limit++) {
    // Each byte is the last one of one kind of end, and each kind comes with every line end.
    if (!SOAK && NAMES[Math.floor(limit / 3) % NAMES.length] !== how) continue;
    service.received.length = 0;
    keys.length = 0;
    const events: GenerationEvent[] = [];
    for await (const event of service.client.generate({ prompt: 'a' })) events.push(event);
    expect(events).toEqual(EVENTS);
    // A request whose response was lost is repeated under its key.
    expect(new Set(keys).size).toBe(1);
  }
});

describe('a wait', () => {
  const events =
    (text: string): Parameters<typeof startService>[0][number] =>
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-generation-id': ID });
      response.end(text);
    };
  const [begun = ''] = streamAfter(0, '\n').split('id: 3');
  const limited = json(429, { error: 'later', retryAfter: 60 }, { 'retry-after': '60' });

  it('outlasts any number of rate limits once the generation has begun', async () => {
    const service = await startService([
      events(begun),
      ...Array.from({ length: 9 }, () => limited),
      events(streamAfter(2, '\n')),
    ]);
    const seen: GenerationEvent[] = [];
    for await (const event of service.client.generate({ prompt: 'a' })) seen.push(event);
    expect(seen).toEqual(EVENTS);
    expect(service.waits).toEqual([1, ...Array.from({ length: 9 }, () => 60)]);
    expect(service.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('gives up on a rate limit before the generation has begun', async () => {
    const service = await startService([limited]);
    await expect(service.client.generate({ prompt: 'a' })).rejects.toMatchObject({ code: 'rate_limited' });
    expect(service.received).toHaveLength(4);
  });

  it('goes on at once after a stream that ended because it lasted long', async () => {
    let now = 0;
    const date = jest.spyOn(Date, 'now').mockImplementation(() => now);
    try {
      const retried: unknown[] = [];
      const first = events(begun);
      const replies = [first, events(streamAfter(2, '\n'))];
      const service = await startService(replies, { onRetry: (error) => retried.push(error) });
      const seen: GenerationEvent[] = [];
      for await (const event of service.client.generate({ prompt: 'a' })) {
        seen.push(event);
        if (event.id === 2) now = 110_000;
      }
      expect(seen).toEqual(EVENTS);
      expect([service.waits, retried]).toEqual([[], []]);
    } finally {
      date.mockRestore();
    }
  });
});
