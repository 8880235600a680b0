/** A file of a site as it is stored. */
export interface SiteFile {
  readonly path: string;
  /** Text stands for its UTF-8: it is encoded once, into the archive. */
  readonly content: string | Uint8Array;
}

export function sizeOf({ content }: SiteFile): number {
  return typeof content === 'string' ? Buffer.byteLength(content) : content.length;
}
