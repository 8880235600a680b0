import { MEDIA_TYPE } from '../contract/assets.ts';

/** What stands for bytes of which nothing is known (RFC 9110, 8.3). */
const UNKNOWN = 'application/octet-stream';

/**
 * A Content-Type (RFC 9110, 8.3.1) with the media type as its group. A comma outside of quotes is in none: whoever
 * takes it for a list of types would read another type out of it.
 */
const CONTENT_TYPE =
  /^([^\s;]+)(?:[ \t]*;(?:[ \t]*[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*"))?)*$/;

/**
 * How files begin (WHATWG MIME Sniffing, section 6), as Latin-1, each with the media types that such a file may
 * have, the usual one first. Only what nothing else begins with: an Ogg or MP4 file is a container of many types.
 */
const BEGINNINGS: readonly (readonly [RegExp, readonly [string, ...string[]]])[] = [
  [/^\x89PNG\r\n/, ['image/png', 'image/apng']],
  [/^\xff\xd8\xff/, ['image/jpeg', 'image/jpg', 'image/pjpeg']],
  [/^GIF8[79]a/, ['image/gif']],
  [/^RIFF.{4}WEBP/s, ['image/webp']],
  [/^RIFF.{4}WAVE/s, ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave']],
  [/^fLaC/, ['audio/flac', 'audio/x-flac']],
  [/^%PDF-/, ['application/pdf']],
  [/^wOFF/, ['font/woff']],
  [/^wOF2/, ['font/woff2']],
  [/^(\xef\xbb\xbf)?\s*<(svg|\?xml|!doctype svg)/i, ['image/svg+xml']],
  // An SVG may begin with a comment.
  [/^(\xef\xbb\xbf)?\s*<[a-z!]/i, ['text/html', 'image/svg+xml']],
];

/**
 * Types that a browser shows without running anything of them. A list, since a name alone says little: browsers take
 * every type that ends in `+xml`, whatever its kind, for a document with scripts.
 */
const SHOWN = new Set([
  ...['apng', 'avif', 'bmp', 'gif', 'jpeg', 'png', 'webp'].map((subtype) => `image/${subtype}`),
  ...['aac', 'flac', 'mp4', 'mpeg', 'ogg', 'wav', 'webm'].map((subtype) => `audio/${subtype}`),
  ...['mp4', 'ogg', 'webm'].map((subtype) => `video/${subtype}`),
  ...['otf', 'ttf', 'woff', 'woff2'].map((subtype) => `font/${subtype}`),
  'application/pdf',
]);

/** How many bytes of a file `realType` looks at. */
export const BEGINNING_BYTES = 256;

/** The media type of a file: what its beginning says, and where that says nothing, the type it was sent with. */
export function realType(contentType: string, beginning: Uint8Array): string {
  const sent = mediaType(contentType);
  const text = Buffer.from(beginning).toString('latin1');
  const [, types] = BEGINNINGS.find(([pattern]) => pattern.test(text)) ?? [];
  return types === undefined || types.includes(sent) ? sent : types[0];
}

/** The media type that a Content-Type names; that of unknown bytes where it is not one. */
function mediaType(contentType: string): string {
  const [, type = ''] = CONTENT_TYPE.exec(contentType.trim()) ?? [];
  return MEDIA_TYPE.test(type) ? type.toLowerCase() : UNKNOWN;
}

/** The Content-Disposition (RFC 6266) under which a browser may have a file of this type. */
export function contentDisposition(type: string, name: string | undefined): string {
  const disposition = SHOWN.has(type) ? 'inline' : 'attachment';
  return name === undefined ? disposition : `${disposition}; filename*=UTF-8''${extendedValue(name)}`;
}

/** RFC 8187, 3.2.1: of what encodeURIComponent leaves, these four are not allowed. */
function extendedValue(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
