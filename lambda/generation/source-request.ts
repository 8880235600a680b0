/**
 * Names of technologies that need a build, as requests write them. Several are words as well: "cards that react", a French
 * "vue", "solid" colours, a "lit" scene, the tailwind of a plane. Those count with a capital inside of a sentence, after a
 * preposition, or with what only a framework has.
 */
const NAMES: readonly RegExp[] = [
  /\b(?:typescript|tsx|jsx|shadcn|preact|vite|tailwind ?css|reactjs|vuejs|solid-?js|sveltekit|litelement|lit-(?:element|html))\b/gi,
  /\b(?:react|vue|svelte|solid|preact|lit)(?:\.js|[ -]?(?:v(?:ersion)? ?)?\d| (?:apps?|components?|hooks?|spa|project|single-page))\b/gi,
  /(?<=\w[,;]? |[(/+"'`])(?:React|Vue|Svelte|Tailwind)\b/g,
  /(?<=\b(?:in|using|mit|en|con|em|com|avec) (?:plain )?)(?:react|svelte|tailwind|Solid|Lit)\b/g,
  /(?<=\b(?:with|and|und|y|e|et) )(?:react|svelte)(?=$|[\s,.;:!?)]+(?:$|and\b|und\b|y\b|e\b|et\b|tailwind))/g,
];

/** What ends before a name that the request does not want, or that is only its subject. */
const UNWANTED =
  /\b(?:no|not|without|avoid|never|instead of|rather than|ohne|kein\w*|nicht|statt|sans|pas de|sin|sem|about|learn(?:ing)?|über|sobre)(?: (?:use|using|any|the|a|der|die|das))? *$/i;
/** Between two names of one list. */
const LISTED = /^[\s,/&+]*(?:and|or|nor|und|oder|et|ou|ni|y|o|e)?\s*$/i;

/**
 * Reports if a request may want a project that is built: it names React, Vue, Svelte, Solid, Preact, Lit, TypeScript, Tailwind
 * or shadcn, and not as what it does without. Conservative, because the instructions about such projects cost tokens.
 */
export function namesSource(prompt: string): boolean {
  const mentions = NAMES.flatMap((name) =>
    Array.from(prompt.matchAll(name), ({ 0: text, index }) => ({ text, index })),
  );
  let end = 0;
  let unwanted = false;
  for (const { text, index } of mentions.toSorted((a, b) => a.index - b.index)) {
    const before = prompt.slice(Math.max(0, end, index - 40), index);
    unwanted = UNWANTED.test(before) || (unwanted && end > 0 && LISTED.test(prompt.slice(end, index)));
    if (!unwanted) return true;
    end = Math.max(end, index + text.length);
  }
  return false;
}
