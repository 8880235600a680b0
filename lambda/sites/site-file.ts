/** A file of a site as it is stored. */
export interface SiteFile {
  readonly path: string;
  /** A string is encoded as UTF-8 when it is written to the archive. */
  readonly content: string | Uint8Array;
  /** Bytes of the content, counted once: for 10 MB of text, counting takes half as long as encoding. */
  readonly size: number;
}
