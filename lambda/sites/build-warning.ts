import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { decodeHtml } from './charset.ts';
import type { SiteFile } from './site-file.ts';

/** Sources that browsers do not run, as a module script of the site's own host. */
const SOURCE = /^(?!https?:|[/\\]{2}).*\.(jsx|tsx|ts|mts|vue|svelte)(?:[?#]|$)/i;

const ADVICE = "run the project's build and deploy its output folder, such as dist";

/**
 * Returns a sentence, in ASCII, about a deployment that seems to be the source of a project instead of its build, or
 * undefined. It says what visitors see and what to do.
 *
 * @param entry the path of the page that visitors see first; `''` without one
 */
export function buildWarning(
  files: readonly Pick<SiteFile, 'path' | 'content'>[],
  entry: string,
): string | undefined {
  if (entry === '')
    return files.some(({ path }) => /(?:^|\/)package\.json$/.test(path))
      ? `Visitors see a list of files, because there is a package.json but no HTML page: ${ADVICE}`
      : undefined;
  const content = files.find(({ path }) => path === entry)?.content ?? '';
  const extension = sourceExtension(typeof content === 'string' ? content : decodeHtml(content));
  if (extension === undefined) return undefined;
  return `Visitors see an empty page, because the start page loads a .${extension} module, which browsers do not run: ${ADVICE}`;
}

/** Returns the extension of the first module script that is a source, such as `tsx`. */
function sourceExtension(html: string): string | undefined {
  // Most pages have none, and this search is much faster than reading the page.
  if (!/\.(?:jsx|tsx|m?ts|vue|svelte)\b/i.test(html)) return undefined;
  let found: string | undefined;
  let attributes = new Map<string, string>();
  let element = '';
  let name = '';
  const endTag = () => {
    const source = SOURCE.exec(attributes.get('src')?.trim() ?? '')?.[1];
    const isModule = attributes.get('type')?.trim().toLowerCase() === 'module';
    if (element === 'script' && isModule) found ??= source?.toLowerCase();
  };
  const ignore = () => {};
  const callbacks: TokenizerCallbacks = {
    onopentagname: (start, end) => {
      element = html.slice(start, end).toLowerCase();
      attributes = new Map();
    },
    onattribname: (start, end) => {
      name = html.slice(start, end).toLowerCase();
    },
    onattribdata: (start, end) => {
      attributes.set(name, (attributes.get(name) ?? '') + html.slice(start, end));
    },
    onopentagend: endTag,
    onselfclosingtag: endTag,
    ...{
      onattribend: ignore,
      onattribentity: ignore,
      onclosetag: ignore,
      oncdata: ignore,
      oncomment: ignore,
    },
    ...{ ondeclaration: ignore, onprocessinginstruction: ignore, ontext: ignore, ontextentity: ignore },
    ...{ onend: ignore, isInForeignContext: () => false },
  };
  const tokenizer = new Tokenizer({}, callbacks);
  tokenizer.write(html);
  tokenizer.end();
  return found;
}
