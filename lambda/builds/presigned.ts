import { setTimeout } from 'node:timers/promises';
import type { VendorSlot } from './build-input.ts';

const ATTEMPTS = 3;
const ATTEMPT_MS = 5_000;
const PAUSE_MS = 100;

/** Returns the object behind a presigned URL, or undefined if there is none. @throws Error if S3 cannot be reached */
export async function download(url: string): Promise<Uint8Array | undefined> {
  const response = await request(url, { method: 'GET' });
  // The signer may not list the bucket: to it, S3 reports a missing key as a 403.
  if (response.status === 403 || response.status === 404) return undefined;
  if (!response.ok) throw new Error(`S3 responded with ${response.status} to a download`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Writes the object behind a presigned URL. @throws Error if S3 does not store it */
export async function upload(url: string, body: Uint8Array): Promise<void> {
  const response = await request(url, { method: 'PUT', body: body as Uint8Array<ArrayBuffer> });
  if (!response.ok) throw new Error(`S3 responded with ${response.status} to an upload`);
}

/** Returns the vendor slot of a build. Without it, a build takes longer: an upload that fails is no error. */
export function vendorSlot({ get, put }: { readonly get: string; readonly put: string }): VendorSlot {
  return {
    read: () => download(get).catch(() => undefined),
    write: (bundle) => upload(put, bundle).catch(() => undefined),
  };
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
