import { createServer, type RequestListener } from 'node:http';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { PatientHandler } from '../../../lambda/platform/aws.ts';
import { serve } from '../../support/serve.ts';

/** Gets an object from a server that answers as `listener` does, with a time in milliseconds for each of two attempts. */
async function get(milliseconds: number, listener: RequestListener) {
  const { url, close } = await serve(createServer(listener));
  const client = new S3Client({
    endpoint: url,
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
    await close();
  }
}

it('gives up after its time, as often as the client tries', async () => {
  await expect(get(100, () => {})).rejects.toMatchObject({
    name: 'TimeoutError',
    message: 'No response from 127.0.0.1 within 100 ms',
    $metadata: { attempts: 2 },
  });
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
