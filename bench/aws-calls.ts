import diagnostics from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** Numbers of HTTP requests to AWS, retries of the SDK included. */
export interface Calls {
  /** DynamoDB. */
  readonly writes: number;
  readonly reads: number;
  readonly s3Writes: number;
  readonly s3Reads: number;
}

const NONE: Calls = { writes: 0, reads: 0, s3Writes: 0, s3Reads: 0 };
const calls = { ...NONE };
diagnostics.subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: ClientRequest };
  const target = request.getHeader('x-amz-target');
  if (target !== undefined) calls[/\.(Put|Update|Delete)Item$/.test(String(target)) ? 'writes' : 'reads']++;
  else calls[request.method === 'GET' || request.method === 'HEAD' ? 's3Reads' : 's3Writes']++;
});

/** Returns this process's requests to AWS during `perform`. */
export async function callsOf(perform: () => Promise<unknown>): Promise<Calls> {
  Object.assign(calls, NONE);
  await perform();
  return { ...calls };
}
