import { Parser } from 'htmlparser2';
import { isHtml } from '../../sites/paths.ts';
import type { ProjectContents } from '../../stored/projects/project-contents.ts';

/** The attribute with which a model marks what it has invented, as its instructions say. */
const MARK = 'data-example';
const WITH_MARKUP = /\.(?:[cm]?[jt]s|[jt]sx|vue|svelte)$/i;
/** An element in a string of a script, or in JSX, with the text behind its tag. */
const MARKED = /<[a-z][\w-]{0,40}(?:\s[^<>]{0,400})?\sdata-example\b[^<>]{0,400}>([^<]{0,200})/gi;
/** Elements that have no text. */
const VOID = new Set([
  'input',
  'img',
  'br',
  'hr',
  'meta',
  'link',
  'source',
  'col',
  'area',
  'embed',
  'track',
  'wbr',
]);
const MAX_CLAIMS = 5;
const MAX_TEXT = 60;

/**
 * Returns the numbers that a project shows as facts although they are invented, one sentence each with its path: those
 * that its markup marks with `data-example`. They are no faults to correct: a person has to know of them.
 */
export function claimsOf(project: ProjectContents): string[] {
  const claims = new Set<string>();
  for (const [path, content] of project) {
    if (typeof content !== 'string' || !content.includes(MARK)) continue;
    for (const text of isHtml(path) ? markedIn(content) : markedInScript(path, content))
      if (/\d/.test(text)) claims.add(`${path}: ${quoted(text)} is an example that the page shows as a fact`);
  }
  return [...claims].slice(0, MAX_CLAIMS);
}

/** Returns the texts of marked elements, with what is in them. */
function markedIn(html: string): string[] {
  const texts: string[] = [];
  /** The open elements from the outermost marked one; empty outside of one. */
  let depth = 0;
  let text = '';
  const parser = new Parser({
    onopentag(name, attributes) {
      if (depth === 0 && !(MARK in attributes)) return;
      if (VOID.has(name)) texts.push(attributes.value ?? '');
      else depth++;
    },
    ontext(more) {
      if (depth > 0) text += more;
    },
    onclosetag(name) {
      if (depth === 0 || VOID.has(name) || --depth > 0) return;
      texts.push(text);
      text = '';
    },
  });
  parser.end(html);
  return texts;
}

/** Returns the texts of marked elements in the strings and the JSX of a script; what it computes is not known. */
function markedInScript(path: string, script: string): string[] {
  if (!WITH_MARKUP.test(path)) return [];
  return Array.from(script.matchAll(MARKED), ([, text = '']) => text.replace(/\$?\{[^}]*\}?/g, '…'));
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `"${line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line}"`;
}
