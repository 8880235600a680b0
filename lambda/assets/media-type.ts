import { MEDIA_TYPE } from '../contract/assets.ts';

/** The type of unknown bytes (RFC 9110, 8.3). */
const UNKNOWN = 'application/octet-stream';

/**
 * A Content-Type (RFC 9110, 8.3.1), with the media type as its group. Commas outside of quotes are rejected: a client
 * that parses the header as a list could find another type in it.
 */
const CONTENT_TYPE =
  /^([^\s;]+)(?:[ \t]*;(?:[ \t]*[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*"))?)*$/;

/**
 * File signatures (WHATWG MIME Sniffing, section 6) as Latin-1, each with its possible media types, the default first.
 * Only unambiguous signatures: Ogg and MP4 are containers of many types.
 */
const SIGNATURES: readonly (readonly [RegExp, readonly [string, ...string[]]])[] = [
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
 * Types that browsers display without executing scripts. An allowlist, because browsers treat every type that ends in
 * `+xml` as a document with scripts.
 */
const INLINE = new Set([
  ...['apng', 'avif', 'bmp', 'gif', 'jpeg', 'png', 'webp'].map((subtype) => `image/${subtype}`),
  ...['aac', 'flac', 'mp4', 'mpeg', 'ogg', 'wav', 'webm'].map((subtype) => `audio/${subtype}`),
  ...['mp4', 'ogg', 'webm'].map((subtype) => `video/${subtype}`),
  ...['otf', 'ttf', 'woff', 'woff2'].map((subtype) => `font/${subtype}`),
  'application/pdf',
]);

/** Number of bytes that `realType` needs. */
export const BEGINNING_BYTES = 256;

/** Returns the media type of a file by its signature; without a known one, the type it was sent with. */
export function realType(contentType: string, beginning: Uint8Array): string {
  const sent = mediaType(contentType);
  const text = Buffer.from(beginning).toString('latin1');
  const [, types] = SIGNATURES.find(([pattern]) => pattern.test(text)) ?? [];
  return types === undefined || types.includes(sent) ? sent : types[0];
}

/** Returns the media type of a Content-Type, or `UNKNOWN` for an invalid one. */
function mediaType(contentType: string): string {
  const [, type = ''] = CONTENT_TYPE.exec(contentType.trim()) ?? [];
  return MEDIA_TYPE.test(type) ? type.toLowerCase() : UNKNOWN;
}

/** Returns the Content-Disposition (RFC 6266) that is safe for a file of this type. */
export function contentDisposition(type: string, name: string | undefined): string {
  const disposition = INLINE.has(type) ? 'inline' : 'attachment';
  return name === undefined ? disposition : `${disposition}; filename*=UTF-8''${extendedValue(name)}`;
}

/** Encodes as in RFC 8187, 3.2.1, which does not allow these four characters that encodeURIComponent keeps. */
function extendedValue(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
