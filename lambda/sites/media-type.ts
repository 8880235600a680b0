import { mimes } from 'mrmime';
import { charsetOf, isText } from './charset.ts';

/**
 * Types that IANA's registry leaves to vendors, and extensions for which browsers expect another type than the
 * registered one. Where nginx and browsers differ from the registry, their type is used.
 */
const WEB_TYPES = `
  application/gzip gz tgz
  application/json json map topojson
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

/** By extension. Not a plain object, because a file may be called `a.constructor`. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(mimes),
  ...WEB_TYPES.trim()
    .split('\n')
    .flatMap((line) => {
      const [type = '', ...extensions] = line.trim().split(' ');
      return extensions.map((extension): [string, string] => [extension, type]);
    }),
]);

/** Extensions of source code and data that are registered for something else, or for a type that browsers download. */
const READABLE = new Set(
  'asc coffee cu dot hjson json5 jsx less litcoffee mts nq nt rq rs sql styl toml trig ts wgsl yaml yml'.split(' '),
);

const UNKNOWN = 'application/octet-stream';

/** Text types, whose Content-Type may have a charset. */
const TEXT = /^text\/|[/+](json|xml|javascript)$/;

/** The parts of a Content-Type. */
export interface MediaType {
  readonly type: string;
  /** The result of `charsetOf`; undefined if the type is not text. */
  readonly charset: string | undefined;
}

/** Returns the type of a file by its extension and, if that is unknown or ambiguous, by whether its bytes are text. */
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
