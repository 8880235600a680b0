import type { Theme } from './types.ts';

// The backgrounds of accent-coloured text with the lowest contrast in any template.
const LIGHT_BACKGROUND = '#ebebeb';
const DARK_BACKGROUND = '#2b2b2b';
/** WCAG 2.2, success criterion 1.4.3 (AA, body text). */
const CONTRAST = 4.5;

const COLORS: Readonly<Record<string, string>> = {
  'red|rojo|rouge|rot(?:e[rns]?)?': '#dc2626',
  'crimson|scarlet': '#c8102e',
  'maroon|burgundy': '#8c1c3a',
  'green|verde|vert|grün(?:e[rns]?)?': '#15803d',
  emerald: '#059669',
  'blue|azul|bleu|blau(?:e[rns]?)?': '#2563eb',
  'navy(?: blue)?': '#1e3a8a',
  'sky blue|light blue': '#0284c7',
  'indigo|violet': '#5b4bdb',
  'purple|morado|lila': '#7c3aed',
  'magenta|fuchsia': '#c026d3',
  pink: '#db2777',
  teal: '#0f766e',
  'turquoise|cyan|aqua': '#0891b2',
  'yellow|amarillo|jaune|gelb(?:e[rns]?)?': '#eab308',
  brown: '#8b5a2b',
};
/** Colours that are also things: they count only beside a word such as "accent". */
const THING_COLORS: Readonly<Record<string, string>> = {
  'orange|naranja': '#ea580c',
  'rose|rosa': '#e11d48',
  gold: '#b8860b',
  coral: '#f0603f',
  mint: '#10a37f',
  lavender: '#8b7fd6',
  lime: '#65a30d',
  peach: '#f08a5d',
  olive: '#6b7a1e',
  'gr[ae]y|silver': '#64748b',
  black: '#171717',
};
const SIGNAL =
  'accents?|themed?|colou?r(?:s|ed)?|scheme|palette|tones?|buttons?|highlights?|design|style|gradients?|akzent\\w*|couleurs?|color(?:es)?|farben?';

const whole = (source: string) => new RegExp(`(?<![\\p{L}\\d])(?:${source})(?![\\p{L}\\d])`, 'iu');

/** Returns the accent colour that a prompt names, as #rrggbb, or ''. */
export function readAccent(text: string): string {
  const hex = /#([0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-z])/i.exec(text)?.[1]?.toLowerCase();
  if (hex) return `#${hex.length === 3 ? hex.replace(/./g, '$&$&') : hex}`;
  const all = Object.entries({ ...COLORS, ...THING_COLORS });
  const beside = ([words]: [string, string]) =>
    whole(`(?:${words})(?: (?:and|&) \\p{L}+)? (?:${SIGNAL})|(?:${SIGNAL})(?: is| in|:)? (?:${words})`).test(text);
  const first = ([words]: [string, string]) => whole(words).exec(text)?.index ?? Number.POSITIVE_INFINITY;
  const named = Object.entries(COLORS).filter(([words]) => whole(words).test(text));
  const found = all.find(beside) ?? named.sort((a, b) => first(a) - first(b))[0];
  return found?.[1] ?? '';
}

const DARK =
  /(?<!\p{L})(?:dark(?! (?:chocolate|roast|matter|souls|side|ages|web|blue|green|red|purple|pink))|night[- ]?mode|(?:black|midnight) (?:background|theme)|dunkl\p{L}*|dunkel\p{L}*|sombre|oscur[oa])(?!\p{L})/iu;
const LIGHT =
  /(?<!\p{L})(?:light|bright|white|hell\p{L}*|clair|claro)(?: and \p{L}+)? (?:theme|mode|design|ui|style|background|colou?rs?|look)(?!\p{L})|(?:tema|modo) claro|(?:thème|mode) clair/iu;

/** Returns the theme that a prompt asks for; `auto` follows the visitor's system. */
export function readTheme(text: string): Theme {
  const dark = DARK.test(text);
  const light = LIGHT.test(text) || /(?<!\p{L})light(?!\p{L}).{0,12}\bdark\b|\bdark\b.{0,12}\blight\b/iu.test(text);
  if (dark === light || /(?:toggle|switch(?:er)?)/i.test(text)) return 'auto';
  return dark ? 'dark' : 'light';
}

type Rgb = readonly [number, number, number];
const toRgb = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const toHex = (rgb: readonly number[]) =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

function luminance(hex: string): number {
  const [r, g, b] = toRgb(hex).map((part) => {
    const c = part / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns the contrast ratio of two #rrggbb colours, 1 to 21, as defined by WCAG 2.2. */
export function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Returns the colour, darkened or brightened just enough to be readable on the background. */
function readable(hex: string, background: string, change: (part: number, step: number) => number): string {
  let color = hex;
  for (let step = 1; contrast(color, background) < CONTRAST; step++) {
    color = toHex(toRgb(hex).map((part) => Math.min(255, change(part, step))));
  }
  return color;
}

const darker = (part: number, step: number) => part * 0.97 ** step;
// The factor keeps the colour vivid; the summand also brightens pure blue and black.
const brighter = (part: number, step: number) => part * (1 + step / 20) + step * 2;

/** Returns the shades of an accent colour for light and dark pages: readable as text and as its background. */
export function accentShades(hex: string): { readonly light: string; readonly dark: string } {
  return { light: readable(hex, LIGHT_BACKGROUND, darker), dark: readable(hex, DARK_BACKGROUND, brighter) };
}
