/** A file from its opening to its closing marker, each on a line of its own. */
const FILE = /^<file path="([^"\n]*)">\n([\s\S]*?)^<\/file>$/gm;

/**
 * The simplest parser of the same output: it keeps all the text and parses it from the start for every chunk. It reads only
 * files, and expects correct markers.
 */
export class ReparsingParser {
  files = new Map<string, string>();
  #text = '';

  feed(chunk: string): void {
    this.#text += chunk;
    this.files = new Map();
    for (const [, path = '', content = ''] of this.#text.matchAll(FILE)) this.files.set(path, content);
  }
}
