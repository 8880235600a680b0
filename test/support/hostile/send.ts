import { type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { HostileRequest } from './requests.ts';

/** What came back. */
export interface HostileResponse {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly text: string;
  readonly ms: number;
}

/** How long a response may take before the test gives up: it says that one never came, not that one was slow. */
const WATCHDOG_MS = 100_000;

/**
 * Sends a request as it is, without repairing its headers.
 * @returns undefined if it announced a longer body than it sent: it then disconnects, and gets no response
 * @throws Error if the connection breaks off, or no response comes
 */
export function sendHostile(
  baseUrl: string,
  localAddress: string,
  hostile: HostileRequest,
): Promise<HostileResponse | undefined> {
  const { host, port } = new URL(baseUrl);
  const length = Math.max(0, (hostile.body?.length ?? 0) + hostile.lie);
  const describes: string[] = hostile.body === undefined ? [] : ['Content-Length', String(length)];
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request({
      hostname: '127.0.0.1',
      port,
      localAddress,
      method: hostile.method,
      path: hostile.target,
      agent: false,
      headers: ['Host', host, 'Connection', 'close', ...describes, ...hostile.headers.flat()],
    });
    const give = (error: Error) => reject(new Error(`${error.message}\n${asCurl(baseUrl, hostile)}`));
    const watchdog = setTimeout(() => outgoing.destroy(new Error('No response came')), WATCHDOG_MS);
    outgoing.on('close', () => clearTimeout(watchdog));
    outgoing.on('error', (error) => (hostile.lie > 0 ? resolve(undefined) : give(error)));
    outgoing.on('response', (incoming) => {
      read(incoming).then((text) => {
        const header = (name: string) => incoming.headers[name]?.toString();
        resolve({ status: incoming.statusCode ?? 0, header, text, ms: performance.now() - begin });
      }, give);
    });
    if (hostile.lie > 0) outgoing.write(hostile.body, () => outgoing.destroy());
    else outgoing.end(hostile.body?.subarray(0, length));
  });
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return (incoming.headers['content-encoding'] === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes).toString();
}

/** Returns a command that sends the request again. */
export function asCurl(baseUrl: string, { method, target, headers, body, lie }: HostileRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const options = headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  if (lie !== 0) options.push(`-H 'Content-Length: ${(body?.length ?? 0) + lie}'`);
  const url = quoted(`${baseUrl}${target}`);
  const curl = `curl -sig --path-as-is -X ${method} ${options.join(' ')} ${url}`;
  if (body === undefined) return curl;
  const shown = body.length > 3_000 ? `${body.length} bytes, which the seed repeats` : body.toString('base64');
  return `echo ${shown} | base64 -d | ${curl} --data-binary @-`;
}
