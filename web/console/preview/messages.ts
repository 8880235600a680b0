/** The messages between the console and the frame of a preview. */

export type Files = ReadonlyMap<string, string | Uint8Array>;

/** Items of `localStorage` and `sessionStorage`, which documents of an opaque origin do not have. */
export type StorageItems = readonly (readonly [key: string, value: string])[];

/** From the console to the frame, once, with the port for its messages. */
export interface PreviewStart {
  readonly files: Files;
  /** Path, query and fragment of the page to show, as on an origin of its own; `/` is the entry. */
  readonly url: string;
  readonly local: StorageItems;
  readonly session: StorageItems;
  /** The data of visitors, as the frame before it sent it; an empty string at first. */
  readonly data: string;
}

/** From the frame to the console. The page can forge all of them, so they are checked and limited. */
export type FrameMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'problem'; readonly message: string }
  /** The page links to another page of the project. */
  | { readonly type: 'open'; readonly url: string }
  /** A script of the page changed its URL, such as a router: the next version of the project begins there. */
  | { readonly type: 'moved'; readonly url: string }
  /** The data of the site has changed. */
  | { readonly type: 'data'; readonly data: string }
  | { readonly type: 'stored'; readonly local: StorageItems; readonly session: StorageItems };

const LONGEST_PROBLEM = 1_000;
const MAX_STORED = 6_000_000;

/**
 * Returns a message of a frame if it has the right form and size: the page can send anything.
 * @param own origin of the console
 */
export function readFrameMessage(data: unknown, own: string): FrameMessage | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data)) return undefined;
  const { type, message, url, local, session, data: saved } = data as Record<string, unknown>;
  if (type === 'ready') return { type };
  if (type === 'problem' && typeof message === 'string') return { type, message: message.slice(0, LONGEST_PROBLEM) };
  if ((type === 'open' || type === 'moved') && typeof url === 'string' && URL.canParse(url)) {
    const { origin, pathname, search, hash } = new URL(url);
    return origin === own ? { type, url: pathname + search + hash } : undefined;
  }
  if (type === 'data' && typeof saved === 'string' && saved.length <= MAX_STORED) return { type, data: saved };
  if (type === 'stored' && isStored(local) && isStored(session)) return { type, local, session };
  return undefined;
}

function isStored(value: unknown): value is StorageItems {
  const pairs = Array.isArray(value) ? value.flat() : [0];
  return (
    pairs.every((text) => typeof text === 'string') &&
    pairs.length === (value as unknown[]).length * 2 &&
    pairs.reduce((sum: number, text) => sum + (text as string).length, 0) <= MAX_STORED
  );
}
