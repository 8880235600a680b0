import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { isUnpublished } from '../../../lambda/sites/folder-rules.ts';
import { pathProblem } from '../../../lambda/sites/paths.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { anyCharacter } from '../../support/unicode.ts';

interface SentFile {
  readonly path: string;
  readonly content: string;
  readonly encoding?: 'base64';
}

/** Characters with a meaning in URLs, zips or headers, and characters of many byte lengths. */
const CHARACTERS = [...'abz09 ._-#?&+=;,!~*\'"()[]{}<>|^`@$äéßıЖ漢字ไทย한😀🏳'];
const EXTENSIONS = ['txt', 'js', 'mjs', 'json', 'svg', 'png', 'woff2', 'wasm', 'md', 'xml', 'zip', 'unknown'];

const segment = fc
  .array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 12 })
  .map((characters) => characters.join('').normalize('NFC'))
  .filter((name) => pathProblem(name) === undefined && !isUnpublished(name));

const path = fc
  .tuple(fc.array(segment, { maxLength: 6 }), segment, fc.constantFrom(...EXTENSIONS))
  // Only file names end like this, so that no folder has the path of a file.
  .map(([folders, name, extension]) => [...folders, `${name}~.${extension}`].join('/'));

const content = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 2000 }).map((text) => ({ content: text })),
  fc.uint8Array({ maxLength: 3000 }).map((bytes) => ({
    content: Buffer.from(bytes).toString('base64'),
    encoding: 'base64' as const,
  })),
);

const page = { path: 'index.html', content: '<!doctype html><title>Round trip</title>\r\n<p>\u00e4' };

const files = fc
  .tuple(
    fc.uniqueArray(fc.tuple(path, content), {
      selector: ([name]) => name.toLowerCase().toUpperCase(),
      minLength: 1,
      maxLength: 6,
    }),
    fc.boolean(),
  )
  .map(([sent, withPage]): SentFile[] => [
    ...sent.map(([name, rest]) => ({ path: name, ...rest })),
    ...(withPage ? [page] : []),
  ]);

const bytesOf = ({ content: text, encoding }: SentFile) => Buffer.from(text, encoding ?? 'utf8');
const addressOf = (name: string) => name.split('/').map(encodeURIComponent).join('/');

it('serves deployed files and their zip byte for byte', async () => {
  const roundTrip = async (sent: SentFile[]) => {
    const caller = newCaller();
    const { status, json, text } = await caller.post('/api/v1/deploy', { files: sent });
    expect({ status, text }).toEqual({ status: 201, text: expect.any(String) });
    for (const file of sent) {
      const { status, headers, bytes } = await caller.send(`/d/${json.id}/${addressOf(file.path)}`);
      expect({ path: file.path, status, bytes: bytes.toString('base64') }).toEqual({
        path: file.path,
        status: 200,
        bytes: bytesOf(file).toString('base64'),
      });
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
    const zip = unzipSync((await caller.send(`/d/${json.id}.zip`)).bytes);
    const unpacked = Object.entries(zip).map(([name, bytes]) => [name, Buffer.from(bytes)]);
    expect(Object.fromEntries(unpacked)).toEqual(
      Object.fromEntries(sent.map((file) => [file.path, bytesOf(file)])),
    );
  };
  await fc.assert(fc.asyncProperty(files, roundTrip), { numRuns: 30 });
});
