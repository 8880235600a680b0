import { contentType, mediaType } from '../../../lambda/sites/media-type.ts';
import { testRows } from '../../support/rows.ts';

const TEXT = Buffer.from('text');
/** Not text in any encoding. */
const BINARY = Buffer.from([0x47, 0xff, 0x00]);
const served = (path: string, bytes: Uint8Array) => contentType(mediaType(path, bytes));

/** As served by nginx 1.22 and sirv, except for those that neither knows. */
const MEDIA: Readonly<Record<string, string>> = {
  'image/apng': 'apng',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/jpeg': 'jpg jpeg jpe jfif',
  'image/jxl': 'jxl',
  'image/png': 'png',
  'image/tiff': 'tif tiff',
  'image/webp': 'webp',
  'image/x-icon': 'ico cur',
  'audio/aac': 'aac',
  'audio/aiff': 'aif aiff',
  'audio/flac': 'flac',
  'audio/matroska': 'mka',
  'audio/midi': 'mid midi',
  'audio/mp4': 'm4a m4b',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg oga opus',
  'audio/wav': 'wav',
  'audio/webm': 'weba',
  'video/3gpp': '3gp',
  'video/matroska': 'mkv',
  'video/mp2t': 'ts mts m2ts',
  'video/mp4': 'mp4',
  'video/mpeg': 'mpg mpeg',
  'video/ogg': 'ogv',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-flv': 'flv',
  'video/x-m4v': 'm4v',
  'video/x-ms-wmv': 'wmv',
  'video/x-msvideo': 'avi',
  'application/vnd.apple.mpegurl': 'm3u8',
  'font/collection': 'ttc',
  'font/otf': 'otf',
  'font/ttf': 'ttf',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'application/vnd.ms-fontobject': 'eot',
  'model/gltf-binary': 'glb',
  'model/obj': 'obj',
  'model/stl': 'stl',
  'model/vnd.usdz+zip': 'usdz',
  'application/epub+zip': 'epub',
  'application/gzip': 'gz tgz',
  'application/java-archive': 'jar',
  'application/msword': 'doc',
  'application/pdf': 'pdf',
  'application/rtf': 'rtf',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.rar': 'rar',
  'application/wasm': 'wasm',
  'application/x-7z-compressed': '7z',
  'application/x-shockwave-flash': 'swf',
  'application/x-tar': 'tar',
  'application/zip': 'zip',
  'application/octet-stream': 'bin exe dll dmg iso img msi unknown-kind',
};

const TEXTS: Readonly<Record<string, string>> = {
  'text/html': 'html htm',
  'text/css': 'css',
  'text/javascript': 'js mjs cjs',
  'text/csv': 'csv',
  'text/calendar': 'ics',
  'text/markdown': 'md markdown',
  'text/vcard': 'vcf',
  'text/vtt': 'vtt',
  'text/xml': 'xml',
  'application/atom+xml': 'atom',
  'application/geo+json': 'geojson',
  'application/json': 'json map topojson',
  'application/ld+json': 'jsonld',
  'application/manifest+json': 'webmanifest',
  'application/rss+xml': 'rss',
  'application/vnd.google-earth.kml+xml': 'kml',
  'application/x-ipynb+json': 'ipynb',
  'application/xhtml+xml': 'xhtml',
  'application/xml': 'xsl',
  'image/svg+xml': 'svg',
  'model/gltf+json': 'gltf',
};

/** Extensions of source code and other files that browsers should display. */
const PLAIN =
  'c h cpp cc cs cu java kt swift go rs zig py rb pl php lua r jl dart scala hs ml clj ex erl sh bash ps1 bat sql ' +
  'graphql proto ts mts cts tsx jsx vue svelte astro coffee less scss sass styl wgsl glsl frag vert toml yaml yml ini conf cfg ' +
  'env properties lock log txt srt rst adoc tex diff patch dot csl-unknown gitignore editorconfig hjson json5 jsonl ndjson dist';

const rows = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).flatMap(([type, extensions]) =>
    extensions.split(' ').map((extension) => [extension, type] as const),
  );

describe('a binary file', () => {
  testRows(rows(MEDIA))('has the type of its extension', (extension, type) => {
    expect(served(`folder/name.${extension}`, BINARY)).toBe(type);
  });

  testRows(['html', 'txt'])('has no charset, whatever its extension', (extension) => {
    expect(served(`a.${extension}`, BINARY)).toBe(extension === 'txt' ? 'text/plain' : 'text/html');
  });
});

describe('a text file', () => {
  testRows(rows(TEXTS))('has the type of its extension, with a charset', (extension, type) => {
    expect(served(`folder/name.${extension}`, TEXT)).toBe(`${type}; charset=utf-8`);
  });

  testRows(PLAIN.split(' '))('without a type of its own is plain text', (extension) => {
    expect(served(`folder/name.${extension}`, TEXT)).toBe('text/plain; charset=utf-8');
  });

  testRows([
    'LICENSE',
    'Dockerfile',
    'rs',
    'zip',
    'css/README',
    'v1.2/notes',
    'a.',
    'a.constructor',
    'a.__proto__',
    '.env',
  ])('with a known name or without an extension is plain text', (path) =>
    expect(served(path, TEXT)).toBe('text/plain; charset=utf-8'),
  );

  it('has the same type with an extension in upper case', () => {
    expect(served('A.CJS', TEXT)).toBe('text/javascript; charset=utf-8');
  });
});
