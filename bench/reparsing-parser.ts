/** A file from its opening to its closing marker, each alone on its line. */
const FILE = /^<file path="([^"\n]*)">\n([\s\S]*?)^<\/file>$/gm;

/**
 * Reads the same output as the output parser in the way that is simplest to write: keep all the text, and parse it from
 * the start with every chunk that arrives. It knows nothing but files, of which it expects perfect markers.
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
