/** Returns the text of a source, which is UTF-8 as for every build tool. Also runs in browsers, which have no `Buffer`. */
export function sourceText(content: string | Uint8Array | undefined): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}
