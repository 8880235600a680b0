declare module 'html-encoding-sniffer' {
  /** Returns the name of the encoding in which a browser reads a page, or `defaultEncoding`. */
  export default function sniffEncoding(
    bytes: Uint8Array,
    options: { readonly maxPrescanBytes: number; readonly defaultEncoding: null },
  ): string | null;
}
