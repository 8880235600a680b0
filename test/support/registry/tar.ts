/** An entry of a tar archive. Paths of packages begin with `package/`. */
export interface TarEntry {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The type flag of ustar: `0` (default) a file, `1` and `2` links, `5` a folder, `x` and `g` pax headers, `L` a long name. */
  readonly type?: string;
  readonly linkTarget?: string;
}

const BLOCK = 512;

/** Returns a tar archive (POSIX ustar; pax headers for paths over 100 bytes). Paths may be hostile. */
export function tar(entries: Iterable<TarEntry>): Buffer {
  const blocks: Uint8Array[] = [];
  for (const entry of entries) {
    if (Buffer.byteLength(entry.path) > 100) {
      const pax = paxRecord('path', entry.path);
      blocks.push(header({ path: 'PaxHeader', bytes: pax, type: 'x' }), padded(pax));
    }
    blocks.push(header(entry), padded(entry.bytes));
  }
  blocks.push(Buffer.alloc(2 * BLOCK));
  return Buffer.concat(blocks);
}

/** A record of a pax header: its length in bytes, which counts itself, then `key=value`. */
export function paxRecord(key: string, value: string): Buffer {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest);
  while (String(length).length + Buffer.byteLength(rest) !== length) {
    length = String(length).length + Buffer.byteLength(rest);
  }
  return Buffer.from(`${length}${rest}`);
}

function header({ path, bytes, type = '0', linkTarget = '' }: TarEntry): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(path, 0, 100);
  block.write('0000644\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  block.write(linkTarget, 157, 100);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function padded(bytes: Uint8Array): Buffer {
  const block = Buffer.alloc(Math.ceil(bytes.length / BLOCK) * BLOCK);
  block.set(bytes);
  return block;
}
