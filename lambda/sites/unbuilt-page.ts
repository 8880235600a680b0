import type { SiteFile } from './accept-files.ts';
import { decodeHtml } from './charset.ts';
import { TokenReader } from './html-reader.ts';
import { dataPathOf } from './paths.ts';
import { pageTags, pathOf, scriptType, scriptUrl } from './source/page-tags.ts';

/** Sources that browsers do not run, as a module script of the site's own host. */
const SOURCE = /\.(jsx|tsx|ts|mts|vue|svelte)(?:[?#]|$)/i;
const OTHER_HOST = /^(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i;
/** Pages that a server makes of code. */
const SERVER_PAGE = /\.(?:php|erb|jsp|aspx|cshtml|ejs|hbs|njk|pug|twig)$/i;

const ADVICE = "run the project's build and deploy its output folder, such as dist";

type Files = readonly Pick<SiteFile, 'path' | 'content'>[];

/**
 * Returns a sentence, in ASCII, about a deployment that seems to be the source of a project instead of its build, or
 * undefined. It says what visitors see and what to do.
 *
 * @param entry the path of the page that visitors see first; `''` without one
 */
export function buildWarning(files: Files, entry: string): string | undefined {
  if (entry === '') return withoutPage(files);
  const html = htmlOf(files, entry);
  return ofSource(html) ?? ofTemplate(html, entry);
}

/** Returns a sentence, in ASCII, about the first script of the start page that is in no file, or undefined. Its host may have it. */
export function scriptWarning(files: Files, entry: string): string | undefined {
  const tags = pageTags(htmlOf(files, entry));
  if (tags.some(({ name }) => name === 'base')) return undefined;
  const paths = new Set(files.map(({ path }) => path));
  const root = entry.slice(0, entry.lastIndexOf('/') + 1);
  const missing = ownScripts(tags)
    .filter(({ src }) => dataPathOf(src) === undefined)
    .map(({ src }) => ({ path: pathOf(src, entry), isFromRoot: src.startsWith('/') }))
    .filter(({ path, isFromRoot }) => !paths.has(path) && !(isFromRoot && paths.has(root + path)))
    .find(({ path }) => /^[!-~]{1,200}$/.test(path));
  return missing && `The start page loads ${missing.path}, which is in no file: if a build makes it, ${ADVICE}`;
}

const htmlOf = (files: Files, entry: string) => decodeHtml(files.find(({ path }) => path === entry)?.content ?? '');

function withoutPage(files: Files): string | undefined {
  if (files.some(({ path }) => /(?:^|\/)package\.json$/.test(path)))
    return `Visitors see a list of files, because there is a package.json but no HTML page: ${ADVICE}`;
  const page = files.find(({ path }) => SERVER_PAGE.test(path) && /^[ -~]{1,200}$/.test(path));
  if (page === undefined) return undefined;
  return `Visitors see a list of files, because ${page.path} needs a server that makes a page of it: deploy HTML pages`;
}

/** Returns the scripts that the host of the page would have. */
function ownScripts(tags: ReturnType<typeof pageTags>) {
  return tags.flatMap((tag) => {
    const src = scriptUrl(tag);
    return src && !OTHER_HOST.test(src) ? [{ src, isModule: scriptType(tag) === 'module' }] : [];
  });
}

function ofSource(html: string): string | undefined {
  const sources = ownScripts(pageTags(html)).flatMap(({ src, isModule }) => (isModule && SOURCE.exec(src)?.[1]) || []);
  const [extension] = sources;
  if (extension === undefined) return undefined;
  return `Visitors see an empty page, because the start page loads a .${extension.toLowerCase()} module, which browsers do not run: ${ADVICE}`;
}

/** The placeholders that servers and generators of pages replace, by the languages of templates. */
const TEMPLATES: readonly (readonly [language: string, pattern: RegExp])[] = [
  ['PHP', /<\?(?:php\b|=)/],
  ['EJS, ERB or JSP', /<%[=@#-]?\s[^%]{0,300}%>/],
  ['Jinja, Django, Twig or Liquid', /\{%-?\s{0,9}[a-z_]{2,20}\b[^%]{0,300}%\}|\{\{\s{0,9}url_for\(/],
  ['Handlebars or Mustache', /\{\{\{?[#/>^]\s{0,9}[\w.@]/],
  ['Go', /\{\{-?\s{0,9}(?:\.[A-Z]\w|(?:block|define|partial|range|template)\s)/],
  ['Create React App', /%PUBLIC_URL%/],
];

function ofTemplate(html: string, entry: string): string | undefined {
  const { text } = new MarkupReader(html).read();
  const language = TEMPLATES.find(([, pattern]) => pattern.test(text))?.[0];
  if (language === undefined) return undefined;
  const page = /^[ -~]{1,200}$/.test(entry) ? entry : 'the start page';
  return `Visitors see the placeholders in ${page}, which is a template of ${language}: deploy the pages that are made of it`;
}

/** Elements whose content scripts use, or that show code. */
const NOT_OF_THE_PAGE = new Set(['script', 'style', 'template', 'pre', 'code', 'textarea']);

/** Reads what servers would replace in a page: its text, and the values of its attributes. */
class MarkupReader extends TokenReader {
  text = '';
  #inside = '';

  override onopentagname(start: number, end: number): void {
    const name = this.nameAt(start, end);
    if (this.#inside === '' && NOT_OF_THE_PAGE.has(name)) this.#inside = name;
  }

  override onclosetag(start: number, end: number): void {
    if (this.nameAt(start, end) === this.#inside) this.#inside = '';
  }

  override ontext(start: number, end: number): void {
    if (this.#inside === '') this.text += this.html.slice(start, end);
  }

  override onattribdata(start: number, end: number): void {
    this.text += this.html.slice(start, end);
  }

  /** `<?` begins a comment in HTML. */
  override oncomment(start: number, end: number): void {
    if (this.html.startsWith('<?', start - 1)) this.text += this.html.slice(start - 1, end);
  }
}
