import type { Look } from '../../client/client.ts';

export type Width = keyof NonNullable<Look['screenshots']>;

/** Bytes of the pictures in one result. Base64 adds a third, and clients limit results to about 1 MB. */
const MOST_BYTES = 720_000;

/**
 * Returns the pictures of a page for the result of a tool: that of a desktop and, if there is room for both, that of a phone. A
 * picture that cannot be read is left out.
 */
export async function picturesOf(
  look: Look | undefined,
  read: (width: Width) => Promise<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const widths = ([1280, 390] as const).filter((width) => look?.screenshots?.[width] !== undefined);
  const pictures = await Promise.all(widths.map((width) => read(width).catch(() => undefined)));
  signal.throwIfAborted();
  const fitting: Uint8Array[] = [];
  let room = MOST_BYTES;
  for (const picture of pictures) {
    if (picture === undefined || picture.length > room) continue;
    room -= picture.length;
    fitting.push(picture);
  }
  return fitting;
}
