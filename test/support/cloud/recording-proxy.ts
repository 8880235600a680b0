import { connect, createServer } from 'node:net';
import { serve } from '../serve.ts';
import { cloud } from './cloud.ts';

/** Forwards connections to the suite's cloud, and records what clients send. */
export async function recordingProxy() {
  const chunks: Buffer[] = [];
  const server = createServer((socket) => {
    const upstream = connect(Number(new URL(cloud().baseUrl).port), 'localhost');
    socket.on('data', (chunk) => chunks.push(chunk));
    for (const stream of [socket, upstream]) stream.on('error', () => {});
    socket.pipe(upstream).pipe(socket);
  });
  const { url, close } = await serve(server, 0, 'localhost');
  return {
    url,
    /** All requests so far, as bytes. */
    sent: () => Buffer.concat(chunks),
    [Symbol.dispose]: () => void close(),
  };
}
