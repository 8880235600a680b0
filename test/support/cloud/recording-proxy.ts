import { type AddressInfo, connect, createServer } from 'node:net';
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
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    /** All requests so far, as bytes. */
    sent: () => Buffer.concat(chunks),
    [Symbol.dispose]: () => void server.close(),
  };
}
