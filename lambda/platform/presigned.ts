import { setTimeout } from 'node:timers/promises';

const ATTEMPTS = 3;
const ATTEMPT_MS = 5_000;
const PAUSE_MS = 100;

/**
 * Returns the object behind a presigned URL, or undefined if there is none.
 * @param mostBytes how large it may be
 * @throws Error if S3 cannot be reached, or the object is larger
 */
export async function download(url: string, mostBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array | undefined> {
  const response = await request(url, { method: 'GET' });
  // The signer may not list the bucket: to it, S3 reports a missing key as a 403.
  if (response.status === 403 || response.status === 404) return undefined;
  if (!response.ok) throw new Error(`S3 responded with ${response.status} to a download`);
  const bytes = Number(response.headers.get('content-length'));
  if (bytes > mostBytes) throw new Error(`The object has ${bytes} bytes: at most ${mostBytes} are read`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Writes the object behind a presigned URL. @throws Error if S3 does not store it */
export async function upload(url: string, body: Uint8Array): Promise<void> {
  const response = await request(url, { method: 'PUT', body: body as Uint8Array<ArrayBuffer> });
  if (!response.ok) throw new Error(`S3 responded with ${response.status} to an upload`);
}

/** Retries while S3 cannot be reached or responds with a 5xx, as the SDK does. */
async function request(url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ATTEMPT_MS) }).catch(
      (error: Error) => error,
    );
    const passing = response instanceof Error || response.status >= 500;
    if (!passing) return response;
    if (attempt === ATTEMPTS) throw new Error('S3 cannot be reached', { cause: response });
    await setTimeout(PAUSE_MS * attempt);
  }
}
