import { mimes } from 'mrmime';
import { charsetOf, isText } from './charset.ts';

/**
 * Types of the web that the registry of IANA leaves to vendors, and files that browsers want under another type than
 * the registered one. As nginx and browsers name them, where those and the registry differ.
 */
const WEB_TYPES = `
  application/epub+zip epub
  application/gzip gz tgz
  application/json json map topojson
  application/msword doc
  application/rtf rtf
  application/vnd.android.package-archive apk
  application/vnd.apple.mpegurl m3u8
  application/vnd.apple.pkpass pkpass
  application/vnd.google-earth.kml+xml kml
  application/vnd.google-earth.kmz kmz
  application/vnd.mapbox-vector-tile mvt
  application/vnd.ms-excel xls
  application/vnd.ms-fontobject eot
  application/vnd.ms-powerpoint ppt
  application/vnd.oasis.opendocument.graphics odg
  application/vnd.oasis.opendocument.presentation odp
  application/vnd.oasis.opendocument.spreadsheet ods
  application/vnd.oasis.opendocument.text odt
  application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
  application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
  application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
  application/vnd.rar rar
  application/vnd.sqlite3 sqlite sqlite3
  application/x-7z-compressed 7z
  application/x-bittorrent torrent
  application/x-bzip2 bz2
  application/x-ipynb+json ipynb
  application/x-shockwave-flash swf
  application/x-tar tar
  application/x-xz xz
  application/zstd zst
  audio/aiff aif aiff
  audio/flac flac
  audio/matroska mka
  audio/mp4 m4a m4b
  audio/x-caf caf
  audio/x-ms-wma wma
  image/jpeg jpg jpeg jpe jfif
  image/vnd.adobe.photoshop psd
  image/vnd.ms-dds dds
  image/x-icon ico cur
  image/x-tga tga
  model/vnd.collada+xml dae
  model/vnd.usdz+zip usdz
  text/javascript js mjs cjs
  text/vcard vcf vcard
  video/matroska mkv
  video/x-flv flv
  video/x-m4v m4v
  video/x-ms-asf asf
  video/x-ms-wmv wmv
  video/x-msvideo avi
`;

/** By extension. A map: a file may be called `a.constructor`. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(mimes),
  ...WEB_TYPES.trim()
    .split('\n')
    .flatMap((line) => {
      const [type = '', ...extensions] = line.trim().split(' ');
      return extensions.map((extension): [string, string] => [extension, type]);
    }),
]);

/** Source code and data whose names are registered for something else, or under types that browsers only download. */
const READABLE = new Set(
  'asc coffee cu dot hjson json5 jsx less litcoffee mts nq nt rq rs sql styl toml trig ts wgsl yaml yml'.split(
    ' ',
  ),
);

const UNKNOWN = 'application/octet-stream';

/** Types of text: their Content-Type may name an encoding. */
const TEXT = /^text\/|[/+](json|xml|javascript)$/;

/** A Content-Type. */
export interface MediaType {
  readonly type: string;
  /** As `charsetOf` names it; undefined also for what is not text. */
  readonly charset: string | undefined;
}

/** Returns the type of a file by its name and, for a name that says too little, by whether its bytes are text. */
export function mediaType(path: string, bytes: Uint8Array): MediaType {
  const type = typeOf(path, bytes);
  return { type, charset: TEXT.test(type) ? charsetOf(bytes, type) : undefined };
}

export function contentType({ type, charset }: MediaType): string {
  return charset === undefined ? type : `${type}; charset=${charset}`;
}

function typeOf(path: string, bytes: Uint8Array): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const known = TYPES.get(extension) ?? UNKNOWN;
  return (known === UNKNOWN || READABLE.has(extension)) && isText(bytes) ? 'text/plain' : known;
}
