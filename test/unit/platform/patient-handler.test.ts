import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { PatientHandler } from '../../../lambda/platform/aws.ts';

/** Gets an object from a server that answers as `listener` does, with a time in milliseconds for each of two attempts. */
async function get(milliseconds: number, listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    forcePathStyle: true,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 2,
    requestHandler: new PatientHandler(milliseconds),
  });
  try {
    return await client.send(new GetObjectCommand({ Bucket: 'bucket', Key: 'key' }));
  } finally {
    client.destroy();
    server.closeAllConnections();
    server.close();
  }
}

it('gives up after its time, as often as the client tries', async () => {
  let requests = 0;
  const silent = get(100, () => {
    requests++;
  });
  await expect(silent).rejects.toMatchObject({
    name: 'TimeoutError',
    message: 'No response from 127.0.0.1 within 100 ms',
  });
  expect(requests).toBe(2);
});

it('does not count the time in which this process cannot run', async () => {
  let requests = 0;
  const { $metadata } = await get(500, (_, response) => {
    requests++;
    // The timer of a deadline is due before the response is read.
    for (const end = performance.now() + 600; performance.now() < end; );
    response.end('object');
  });
  expect([$metadata.attempts, requests]).toEqual([1, 1]);
});
