import type { Value, Values } from '../kit/types.ts';

/** `indent` is the white space at the beginning of the line. */
type Escape = (value: Value, indent: string) => string;

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const html: Escape = (value) => String(value).replace(/[&<>"']/g, (char) => HTML_ENTITIES[char] ?? char);
const markdown: Escape = (value) => String(value).replace(/[\\`*_[\]<>&|~#]/g, '\\$&');
/** Between backticks, Markdown has no escapes, except for the bars of a table. */
const codeSpan = (value: Value) => String(value).replaceAll('`', "'").replaceAll('|', '\\|');
const css: Escape = (value) => String(value).replace(/[^\w#.%-]/g, '');
const json: Escape = (value, indent) => JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);

/** Formats a value as JavaScript in the style of the templates: single quotes, bare keys, two spaces. */
function javascript(value: Value, indent: string): string {
  if (typeof value === 'string') {
    const inner = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
    return `'${inner.replace(/[<\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`;
  }
  if (typeof value !== 'object') return String(value);
  const deeper = `${indent}  `;
  const entries = Array.isArray(value)
    ? value.map((item: Value) => javascript(item, deeper))
    : Object.entries(value).map(([key, item]) => `${key}: ${javascript(item, deeper)}`);
  const [open, close] = Array.isArray(value) ? '[]' : ['{ ', ' }'];
  const line = `${open}${entries.join(', ')}${close}`;
  if (indent.length + line.length < 90) return line;
  return `${open?.trim()}\n${entries.map((entry) => `${deeper}${entry},\n`).join('')}${indent}${close?.trim()}`;
}

/** Write a value as each language has it: text without its quotes in HTML and Markdown, a literal in code. */
export const ESCAPES = { html, md: markdown, js: javascript, json } as const;

// In code a placeholder is a quoted string, so that the template is valid code.
const QUOTED = /(['"])\{\{(\w+)\}\}\1/g;
const BARE = /\{\{(\w+)\}\}/g;
const SYNTAXES: Readonly<Record<string, { placeholder: RegExp; group: 1 | 2; escape: Escape }>> = {
  html: { placeholder: BARE, group: 1, escape: html },
  md: { placeholder: BARE, group: 1, escape: markdown },
  css: { placeholder: BARE, group: 1, escape: css },
  svg: { placeholder: BARE, group: 1, escape: html },
  js: { placeholder: QUOTED, group: 2, escape: javascript },
  json: { placeholder: QUOTED, group: 2, escape: json },
  // Texts, numbers, lists and objects are the same in Python; true and false are not.
  py: { placeholder: QUOTED, group: 2, escape: json },
};

// Marks are comments, so that a template is a valid file.
const BLOCK =
  /[ \t]*(?:<!--|\/\*|#) #(\w+)(?: -->| \*\/|(?=\n))\n?([\s\S]*?)[ \t]*(?:<!--|\/\*|#) \/\1(?: -->| \*\/|(?=\n))\n?/g;

/** Returns the values of each repetition of a block: one per entry of a list; once or never for any other value. */
function scopesOf(value: Value): readonly Values[] {
  if (Array.isArray(value)) return value;
  return value ? [{}] : [];
}

/**
 * Fills a template in one pass, so that values are never parsed as templates.
 * `{{name}}` is replaced with a value that is escaped for the language of the file. `<!-- #name -->…<!-- /name -->`,
 * in CSS, JavaScript and Python with their own comment marks, is repeated for each entry of a list, and kept or dropped for true or false.
 * @throws Error when a name has no value, or there is no rule for the language
 */
export function fill(template: string, extension: string, values: Values): string {
  const language = SYNTAXES[extension];
  if (!language) throw new Error(`no rule for placeholders in .${extension} files`);
  const lookUp = (name: string): Value => {
    const value = values[name];
    if (value === undefined) throw new Error(`the template names {{${name}}}, which has no value`);
    return value;
  };
  const replace = (text: string) =>
    text.replace(language.placeholder, (...match) => {
      const offset = match.at(-2);
      if (extension === 'md' && text[offset - 1] === '`') return codeSpan(lookUp(match[language.group]));
      const start = text.lastIndexOf('\n', offset) + 1;
      const indent = /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
      return language.escape(lookUp(match[language.group]), indent);
    });
  const parts: string[] = [];
  let end = 0;
  for (const block of template.matchAll(BLOCK)) {
    const [whole, name = '', body = ''] = block;
    const scopes = scopesOf(lookUp(name));
    parts.push(replace(template.slice(end, block.index)));
    parts.push(...scopes.map((scope) => fill(body, extension, { ...values, ...scope })));
    end = block.index + whole.length;
  }
  return parts.join('') + replace(template.slice(end));
}
