import { contentType, mediaType } from '../../../lambda/sites/media-type.ts';
import { testRows } from '../../support/rows.ts';

const TEXT = Buffer.from('text');
/** Not text in any encoding. */
const BINARY = Buffer.from([0x47, 0xff, 0x00]);
const served = (path: string, bytes: Uint8Array) => contentType(mediaType(path, bytes));

testRows([
  // As the registry has them, and as nginx and browsers do where that differs.
  ['png', 'image/png'],
  ['woff2', 'font/woff2'],
  ['ico', 'image/x-icon'],
  ['jpe', 'image/jpeg'],
  ['m4a', 'audio/mp4'],
  ['mkv', 'video/matroska'],
  // Of what is source code otherwise.
  ['ts', 'video/mp2t'],
  ['wgsl', 'text/wgsl'],
  ['unknown-kind', 'application/octet-stream'],
  // Texts, which have no charset here.
  ['html', 'text/html'],
  ['txt', 'text/plain'],
])('a binary file has the type of its extension', (extension, type) => {
  expect(served(`folder/name.${extension}`, BINARY)).toBe(type);
});

describe('a text file', () => {
  testRows([
    ['html', 'text/html'],
    ['css', 'text/css'],
    ['mjs', 'text/javascript'],
    ['map', 'application/json'],
    ['webmanifest', 'application/manifest+json'],
    ['xml', 'text/xml'],
    ['svg', 'image/svg+xml'],
    ['vcf', 'text/vcard'],
    ['CJS', 'text/javascript'],
  ])('has the type of its extension, with a charset', (extension, type) => {
    expect(served(`folder/name.${extension}`, TEXT)).toBe(`${type}; charset=utf-8`);
  });

  testRows([
    // Registered for something else, for nothing, or for a type that browsers download.
    ...'ts mts jsx rs sql toml yaml less coffee wgsl dot py'.split(' ').map((extension) => `folder/name.${extension}`),
    'LICENSE',
    'zip',
    'rs',
    'css/README',
    'v1.2/notes',
    'a.',
    'a.constructor',
    'a.__proto__',
    '.env',
  ])('of source code, or without an extension, is plain text', (path) => {
    expect(served(path, TEXT)).toBe('text/plain; charset=utf-8');
  });
});
