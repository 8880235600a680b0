/** A file of a site as it is stored. */
export interface SiteFile {
  readonly path: string;
  /** Text is encoded as UTF-8 only once, into the archive. */
  readonly content: string | Uint8Array;
  /** Bytes of the content, counted once: for 10 MB of text, counting takes half as long as encoding. */
  readonly size: number;
}
