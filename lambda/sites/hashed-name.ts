const CODE = /\.(?:js|mjs|css|wasm)(?:\.map)?$/;
const MEDIA = /\.(?:woff2?|ttf|otf|eot|png|jpe?g|gif|webp|avif|svg|ico|mp4|webm|ogg|mp3|wav|flac|aac|m4a|opus)$/;
/** The words that tools write between the hash and the extension. */
const SUFFIX = /\.(?:chunk|bundle|module|lean|min)$/;

/** Folders that belong to one build tool, which puts a hash in every name: Next.js, SvelteKit, Astro, Nuxt. */
const TOOL_FOLDER = /(?:^|\/)(?:_next\/static\/(?:chunks|css|media)|_app\/immutable|_astro|_nuxt)\//;
/** There, a hash needs no further proof than a digit or a capital. Fonts of Next.js have `-s.p` after it. */
const TOOL_HASH = /(?:^|[.-])(?=[\w-]*[A-Z0-9])[\w-]{8,}(?:\.p)?$/;

/** The lengths that webpack, Parcel, Next.js, Django, Gatsby, Hugo and Rails use; a commit id has 7 or 40. */
const HEX =
  /(?:[.-](?:[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{20}|[0-9a-f]{32}|[0-9a-f]{64})|\.[0-9a-f]{10}|\.[0-9a-f]{12})$/;
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const DATE = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])/;
const BASE64 = /[.-]([\w-]{8})$/;
const BASE32 = /^[A-Z2-7]{8}$/;

/**
 * Returns whether a build tool has put a hash of the content into the name of a file, so that a browser may keep the
 * file for a year. A wrong answer shows visitors an old file, so a name that a person might have chosen does not match,
 * although that excludes some hashes: a date, a version, an id (a UUID too), `Win32App`, `HOMEPAGE`. Of random hashes,
 * 60 % of Rollup's and Vite's (8 characters of base64url), 75 % of esbuild's and Angular's (8 of base32) and 86 % of
 * those of 8 hexadecimal digits match; a third of the first two on images. Pages and data files never match.
 */
export function isHashedName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const code = CODE.test(name);
  if (!code && !MEDIA.test(name)) return false;
  const stem = name.replace(code ? CODE : MEDIA, '').replace(SUFFIX, '');
  if (TOOL_FOLDER.test(path)) return TOOL_HASH.test(stem);
  if (UUID.test(stem)) return false;
  const hex = HEX.exec(stem)?.[0].slice(1);
  if (hex !== undefined) return isHexHash(hex);
  const [, hash] = BASE64.exec(stem) ?? [];
  if (hash === undefined) return false;
  if (BASE32.test(hash)) return code ? stem.startsWith('chunk-') || /\d[A-Z]/.test(hash) : changes(hash) >= 3;
  // The names of images are more varied than those of scripts.
  return /[a-z]/.test(hash) && /[A-Z]/.test(hash) && changes(hash) >= (code ? 3 : 4);
}

/** A possible hash: 8 characters of base64url, or more letters and digits. */
const SHAPE = /[.-]([\w-]{8}|[A-Za-z0-9]{9,64})$/;

/**
 * Returns whether the name of a file may contain a hash. Hardly any hash of a script or a style sheet is missed. A wrong
 * answer only keeps a file visible for a day after its version was replaced, so a name like `app-Settings.js` matches.
 */
export function mayBeHashedName(path: string): boolean {
  if (isHashedName(path)) return true;
  if (!CODE.test(path)) return false;
  const [, hash = ''] = SHAPE.exec(path.replace(CODE, '').replace(SUFFIX, '')) ?? [];
  return /[a-z].*[A-Z]|[A-Z].*[a-z]/.test(hash) || /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9]+$/.test(hash);
}

/** A single letter among digits is more likely part of a number, and four equal digits of a counter. */
function isHexHash(hex: string): boolean {
  return /\d/.test(hex) && /[a-f].*[a-f]/.test(hex) && !/(.)\1{3}/.test(hex) && !DATE.test(hex);
}

/** Returns how often letters, capitals and digits alternate; a capital followed by small letters is one word. */
function changes(hash: string): number {
  return hash.match(/(?<=[a-z])[A-Z0-9]|(?<=[A-Z])\d|(?<=\d)[A-Za-z]/g)?.length ?? 0;
}
