/** What the console and the frame of a preview send each other. */

export type Files = ReadonlyMap<string, string | Uint8Array>;

/** Items of `localStorage` and `sessionStorage`, which documents of an opaque origin do not have. */
export type Stored = readonly (readonly [key: string, value: string])[];

/** From the console to the frame, once, with the port for the answers. */
export interface Start {
  readonly files: Files;
  /** Path, query and fragment of the page to show, as on an origin of its own; `/` is the entry. */
  readonly url: string;
  readonly local: Stored;
  readonly session: Stored;
}

/** From the frame to the console. The page can forge all of them, so they are checked and limited. */
export type Answer =
  | { readonly type: 'ready' }
  | { readonly type: 'problem'; readonly message: string }
  /** The page links to another page of the project. */
  | { readonly type: 'open'; readonly url: string }
  | { readonly type: 'stored'; readonly local: Stored; readonly session: Stored };
