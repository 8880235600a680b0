import { brandOfHost } from './brands.ts';
import { type Claim, claimsIn } from './claims.ts';
import type { ForeignUrl } from './hosts.ts';

/** Services that return the logo of the domain in their URL. */
const LOGO_SERVICE =
  /^https:\/\/(?:logo\.clearbit\.com\/|img\.logo\.dev\/|icons\.duckduckgo\.com\/ip3\/|(?:www\.)?google\.com\/s2\/favicons\?.{0,200}domain=(?:https?:\/\/)?|[^/]*favicon[^/]*\/)([\w.-]+)/i;

const PICTURE_NAME = /^(.*)\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp)$/i;

/** Returns the claims of a picture by the name of its file, or by the host of the brand that it is loaded from. */
export function pictureClaims(source: string, foreign: ForeignUrl | undefined): Claim[] {
  const host = foreign && (LOGO_SERVICE.exec(foreign.url)?.[1] ?? foreign.host);
  const brand = host === undefined ? undefined : brandOfHost(host);
  if (brand) return [{ brand, isStrong: false, isLookAlike: false, place: 'file', needs: [] }];
  const [path = ''] = source.slice(0, 1_000).split(/[?#]/, 1);
  const name = PICTURE_NAME.exec(path.slice(path.lastIndexOf('/') + 1))?.[1];
  return name === undefined ? [] : nameClaims(name);
}

/** Returns the claims of the name of a file or a folder. */
export const nameClaims = (name: string): Claim[] =>
  claimsIn(name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_.]/g, ' '), 'file');
