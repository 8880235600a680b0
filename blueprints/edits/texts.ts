import { ESCAPES } from '../engine/fill.ts';
import type { ProjectFile } from '../kit/types.ts';

/** Scripts and styles; texts; attributes that people read. */
const HTML = /<(script|style)\b[\s\S]*?<\/\1>|>[^<]+(?=<)| (?:content|placeholder|aria-label|alt|title|label)="[^"]*"/g;
/** Comments, and strings in single quotes, which the starters use. */
const SCRIPT = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'/g;

const extensionOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);
const inside = (quoted: string) => quoted.slice(1, -1);

/** Replaces a text wherever people read it: not in code, nor in names. */
export function replaceText({ path, content }: ProjectFile, from: string, to: string): string {
  const extension = extensionOf(path);
  const { html, js, json, md } = ESCAPES;
  if (extension === 'html') {
    return content.replace(HTML, (part, code) => (code ? part : part.replaceAll(html(from, ''), () => html(to, ''))));
  }
  if (extension === 'js') {
    return content.replace(SCRIPT, (part) =>
      part.startsWith("'") && isText(part, path)
        ? part.replaceAll(inside(js(from, '')), () => inside(js(to, '')))
        : part,
    );
  }
  if (extension === 'json') return content.replaceAll(inside(json(from, '')), () => inside(json(to, '')));
  return extension === 'md' ? content.replaceAll(md(from, ''), () => md(to, '')) : content;
}

/** A string that is not a name, a key or a selector. */
function isText(literal: string, path: string): boolean {
  return path.endsWith('texts.js') || /^'\p{Lu}|\s/u.test(literal);
}

/** Returns the title of a page as text; undefined if it has none. */
export function titleIn(page: string): string | undefined {
  const title = /<title>([^<]+)<\/title>/.exec(page)?.[1];
  return title?.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** Replaces the title where it is one: in the head, the first heading, descriptions and documents. */
export function replaceTitle({ path, content }: ProjectFile, from: string, to: string): string {
  const { html, md } = ESCAPES;
  if (path.endsWith('.md')) return content.replaceAll(md(from, ''), () => md(to, ''));
  if (!path.endsWith('.html')) return content;
  return content.replace(/<title>[^<]*|<h1\b[^>]*>[^<]*|<meta [^>]*content="[^"]*"/g, (part) =>
    part.replaceAll(html(from, ''), () => html(to, '')),
  );
}

/** Replaces what the first heading of a page says; unchanged if it has elements. */
export function replaceHeading({ path, content }: ProjectFile, to: string): string {
  if (path !== 'index.html') return content;
  return content.replace(/(<h1\b[^>]*>)[^<]*(?=<\/h1>)/, (_, open: string) => open + ESCAPES.html(to, ''));
}
