/** Encodes text; Node itself only decodes most of these encodings. Supports at most two bytes per character. */
export function encodeAs(charset: string, text: string): Buffer {
  if (charset === 'utf-8') return Buffer.from(text);
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const codes = codesOf(charset);
  return Buffer.concat(
    Array.from(text, (character) => {
      const code = codes.get(character);
      if (code === undefined) throw new Error(`${charset} has no ${JSON.stringify(character)}`);
      return code;
    }),
  );
}

const known = new Map<string, ReadonlyMap<string, Buffer>>();

function codesOf(charset: string): ReadonlyMap<string, Buffer> {
  const made = known.get(charset);
  if (made) return made;
  const codes = new Map<string, Buffer>();
  known.set(charset, codes);
  const decoder = new TextDecoder(charset);
  const add = (...bytes: number[]) => {
    const character = decoder.decode(Uint8Array.from(bytes));
    const single = [...character].length === 1 && character !== '\ufffd';
    if (single && !codes.has(character)) codes.set(character, Buffer.from(bytes));
  };
  for (let first = 0; first < 256; first++) add(first);
  for (let first = 128; first < 256; first++) for (let second = 64; second < 256; second++) add(first, second);
  return codes;
}
