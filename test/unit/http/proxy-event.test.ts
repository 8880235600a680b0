import { setTimeout } from 'node:timers/promises';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { bufferedBody, streamedBody, toApiRequest } from '../../../lambda/http/proxy-event.ts';

/** Notes its start and its end. */
function work() {
  const log: string[] = [];
  const finish = async () => {
    log.push('begins');
    await setTimeout(5);
    log.push('ends');
  };
  return { log, finish };
}

const REQUEST = { headers: {} };

async function* texts() {
  yield 'one';
  yield '';
  yield 'two';
}

describe('a buffered response', () => {
  it('is sent when the remaining work has ended', async () => {
    const { log, finish } = work();
    const response = await bufferedBody(REQUEST, { statusCode: 200, body: { a: 1 } }, finish);
    expect(response).toEqual({ body: '{"a":1}', headers: {} });
    expect(log).toEqual(['begins', 'ends']);
  });

  it('may be empty, and cannot be a stream', async () => {
    const { finish } = work();
    expect(await bufferedBody(REQUEST, { statusCode: 204 }, finish)).toEqual({ body: '' });
    const stream = bufferedBody(REQUEST, { statusCode: 200, stream: texts() }, finish);
    await expect(stream).rejects.toThrow('not stream');
  });
});

describe('a streamed response', () => {
  const chunks = async (response: ReturnType<typeof streamedBody>, log: string[]) => {
    const { body } = await response;
    const seen: string[] = [];
    for await (const chunk of body as AsyncIterable<Buffer>) {
      seen.push(String(chunk));
      log.push(String(chunk));
    }
    log.push('end of the response');
    return seen;
  };

  it('does the remaining work while it sends JSON, and ends after it', async () => {
    const { log, finish } = work();
    const seen = await chunks(streamedBody(REQUEST, { statusCode: 200, body: { a: 1 } }, finish), log);
    expect([seen, log]).toEqual([['{"a":1}'], ['begins', '{"a":1}', 'ends', 'end of the response']]);
  });

  it('sends bytes as they are', async () => {
    const { log, finish } = work();
    const bytes = Uint8Array.of(0x89, 0x50, 0xff);
    const { body, headers } = await streamedBody(REQUEST, { statusCode: 200, bytes }, finish);
    expect(headers).toBeUndefined();
    const sent: Uint8Array[] = [];
    for await (const chunk of body as AsyncIterable<Buffer>) sent.push(chunk);
    expect(Buffer.concat(sent)).toEqual(Buffer.from(bytes));
    expect(log).toEqual(['begins', 'ends']);
  });

  it('does it after the last text of a stream', async () => {
    const { log, finish } = work();
    await chunks(streamedBody(REQUEST, { statusCode: 200, stream: texts() }, finish), log);
    // The stream reads ahead of its reader.
    expect(log.toSorted()).toEqual(['begins', 'end of the response', 'ends', 'one', 'two']);
    expect(log.slice(-2)).toEqual(['ends', 'end of the response']);
    expect(log.indexOf('begins')).toBeGreaterThan(log.indexOf('one'));
  });

  it('must not be empty', async () => {
    const { log, finish } = work();
    const empty = streamedBody(REQUEST, { statusCode: 204 }, finish);
    await expect(empty).rejects.toThrow('needs a body');
    expect(log).toEqual([]);
  });
});

test('the time of a request is that of API Gateway, unless its clock and that of the function differ', () => {
  const receivedAt = (requestTimeEpoch: number, now: number) => {
    const event = { headers: {}, requestContext: { requestTimeEpoch, identity: {} } };
    return toApiRequest(event as unknown as APIGatewayProxyEvent, now).receivedAt;
  };
  expect(receivedAt(1_000_000, 1_002_000)).toBe(1_000_000);
  expect(receivedAt(1_000_000, 1_300_000)).toBe(1_300_000);
  expect(receivedAt(1_000_000, 700_000)).toBe(700_000);
});
