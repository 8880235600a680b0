import { encode } from 'uqr';

/** Light modules that a reader needs on each side (ISO/IEC 18004, 6.3.8). */
const QUIET = 4;

/** A URL as a QR code: black on white in both color schemes, because not every reader accepts the inverse. */
export function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: QUIET });
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg class="qr" role="img" aria-label={`QR code of ${text}`} viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}
