import type { Readable } from 'node:stream';

/**
 * Reads a stream into one buffer: collecting chunks first would double the peak memory.
 * @param length the number of bytes
 */
export async function collect(stream: Readable, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let at = 0;
  for await (const chunk of stream) at += (chunk as Buffer).copy(bytes, at);
  if (at !== length) throw new Error(`The stream ended after ${at} of ${length} bytes`);
  return bytes;
}
