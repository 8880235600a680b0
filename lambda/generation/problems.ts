import { Parser } from 'htmlparser2';
import type { DataFeatures } from '../contract/site-features.ts';
import type { Source } from '../sites/parts/parts.ts';
import { isHtml } from '../sites/paths.ts';
import type { ProjectContents } from '../stored/projects/project-contents.ts';
import type { WrittenFile } from '../stored/projects/stored-project.ts';
import { DataCheck } from './problems/data.ts';
import { placeholdersIn } from './problems/placeholders.ts';
import { ImportCheck, ReferenceCheck } from './problems/references.ts';
import { kindOf, ProjectTree, readSources, type Sources } from './problems/sources.ts';

/** A problem of a project, as one sentence about one of its files. */
interface Problem {
  readonly path: string;
  readonly message: string;
}

/** Maximum number of problems: a model cannot correct more in one answer. */
const MOST = 40;
/** Maximum length of a quoted placeholder. */
const QUOTED_CHARACTERS = 80;

/**
 * Returns the certain problems of a project: references to missing files, omitted code, files that are empty or do not
 * parse, no page for a browser, imports of names that a module does not export. Errors that code has when it runs are
 * found by the look. In the order of the files, each problem once, at most 40. Doubtful cases are not reported: asking
 * a model to correct what is right costs a call and may break it.
 * @param data what the data of its site can do; undefined if sites of the stage have none
 */
export function problemsOf(files: readonly WrittenFile[], data?: DataFeatures): Problem[] {
  const found = new Map<string, Problem>();
  for (const problem of everyProblem(files, data)) {
    found.set(`${problem.path}\n${problem.message}`, problem);
    if (found.size === MOST) break;
  }
  return [...found.values()];
}

function* everyProblem(files: readonly WrittenFile[], features: DataFeatures | undefined): Iterable<Problem> {
  const sources = readSources(files);
  const tree = new ProjectTree(files.map(({ path }) => path));
  const kind = kindOf(sources, tree);
  const pages = sources.pages.map(({ path }) => path);
  const references = new ReferenceCheck(tree, kind, pages, features !== undefined);
  if (!kind.served && !kind.source && lacksEntry(sources))
    yield { path: 'index.html', message: 'The project has no index.html' };
  const used = referredTo(sources, tree);
  const imports = new ImportCheck(sources, tree, kind, features !== undefined);
  const data = new DataCheck(sources, tree, kind, features);
  for (const source of sources.all) {
    const { path } = source;
    if (!data.isDeclaration(source)) for (const message of contentProblems(source, used)) yield { path, message };
    for (const message of data.problems(source)) yield { path, message };
    for (const message of references.problems(source)) yield { path, message };
    for (const message of leftOut(source)) yield { path, message };
    for (const message of imports.problems(source)) yield { path, message };
  }
}

/** Fields of the package.json of a library, a tool or a build, but not of a page with tests. */
const PACKAGE = /"(?:dependencies|devDependencies|main|exports|bin)"\s*:/;

/** Returns whether a project has style sheets or scripts that use the DOM, but no page. */
function lacksEntry({ all, pages, scripts }: Sources): boolean {
  const packaged = all.some(({ path, content }) => path.endsWith('package.json') && PACKAGE.test(content));
  if (pages.length > 0 || packaged) return false;
  return all.some(({ path }) => path.endsWith('.css')) || scripts.some(({ parts }) => parts.usesDom);
}

/** Returns the paths that other files refer to. */
function referredTo({ all }: Sources, tree: ProjectTree): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { path: from, parts } of all) {
    for (const { specifier } of parts.references) {
      const target = tree.target(from, specifier, parts.base);
      const path = target && tree.exact(target);
      if (path !== undefined) paths.add(path);
    }
  }
  return paths;
}

/** Files named `.json` that may contain comments. */
const WITH_COMMENTS = /(?:^|\/)(?:[tj]sconfig[^/]*|\.[^/]*rc|devcontainer)\.json$|(?:^|\/)\.vscode\//;

function* contentProblems({ path, content }: Source, used: ReadonlySet<string>): Iterable<string> {
  const json = /\.(?:json|webmanifest)$/.test(path);
  if (content.trim() === '') {
    const mustHaveContent = isHtml(path) || json || (/\.(?:css|[cm]?js)$/.test(path) && used.has(path));
    if (mustHaveContent) yield 'The file is empty';
  } else if (json && !WITH_COMMENTS.test(path)) {
    try {
      JSON.parse(content);
    } catch (error) {
      yield `The JSON does not parse: ${String(error).replace(/\s+/g, ' ')}`;
    }
  }
}

/** Yields a message for each placeholder in a file, with its line. */
function* leftOut({ content, parts }: Source): Iterable<string> {
  let line = 1;
  let counted = 0;
  for (const { text, index } of placeholdersIn(parts.comments)) {
    for (let end = content.indexOf('\n', counted); end !== -1 && end < index; end = content.indexOf('\n', counted)) {
      line++;
      counted = end + 1;
    }
    yield `Line ${line} is a placeholder for omitted code: ${text.slice(0, QUOTED_CHARACTERS)}`;
  }
}

/** Returns the problems of a project that its base does not have: what a change did not touch is the caller's own. */
export function newProblems(project: ProjectContents, base: ProjectContents, data?: DataFeatures): Problem[] {
  const known = new Set(problemsIn(base, data).map(identityOf));
  return problemsIn(project, data).filter((problem) => !known.has(identityOf(problem)));
}

function problemsIn(project: ProjectContents, data: DataFeatures | undefined): Problem[] {
  return problemsOf(textsOf(project), data);
}

function textsOf(project: ProjectContents): WrittenFile[] {
  return Array.from(project, ([path, content]) => ({ path, content: typeof content === 'string' ? content : '' }));
}

/** Omits what other changes affect: a change above a line moves it, and a module may export other names. */
function identityOf({ path, message }: Problem): string {
  return `${path}: ${message.replace(/: it exports .*$/, '').replace(/\d+/g, '#')}`;
}

/** The attribute with which a model marks what it has invented, as its instructions say. */
const MARK = 'data-example';
const WITH_MARKUP = /\.(?:[cm]?[jt]s|[jt]sx|vue|svelte)$/i;
/** An element in a string of a script, or in JSX, with the text behind its tag. */
const MARKED = /<[a-z][\w-]{0,40}(?:\s[^<>]{0,400})?\sdata-example\b[^<>]{0,400}>([^<]{0,200})/gi;
/** Elements that have no text. */
const VOID = new Set(['input', 'img', 'br', 'hr', 'meta', 'link', 'source', 'col', 'area', 'embed', 'track', 'wbr']);
const MAX_CLAIMS = 5;
const MAX_TEXT = 60;

/**
 * Returns what a person has to know of a project although no model should correct it, one sentence each with its path:
 * invented numbers, and who can find out what of the site's data.
 */
export function notesOf(project: ProjectContents, data?: DataFeatures): string[] {
  const sources = readSources(textsOf(project));
  const tree = new ProjectTree([...project.keys()]);
  const check = new DataCheck(sources, tree, kindOf(sources, tree), data);
  return [...claimsOf(project), ...check.notes().map((note) => `${check.path}: ${note}`)];
}

/**
 * Returns the numbers that a project shows as facts although they are invented: those that its markup marks with
 * `data-example`.
 */
function claimsOf(project: ProjectContents): string[] {
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
