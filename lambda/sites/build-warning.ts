import type { SiteFile } from './accept-files.ts';
import { decodeHtml } from './charset.ts';

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
  const extension = sourceExtension(decodeHtml(content));
  if (extension === undefined) return undefined;
  return `Visitors see an empty page, because the start page loads a .${extension} module, which browsers do not run: ${ADVICE}`;
}

/**
 * Returns the extension of the first module script that is a source, such as `tsx`. Only a warning depends on it, so it need
 * not read HTML as browsers do.
 */
function sourceExtension(html: string): string | undefined {
  const markup = html.replace(/<!--.*?(?:-->|$)/gs, '');
  for (const [, attributes = ''] of markup.matchAll(/<script\b([^<>]*)>/gi)) {
    const source = /\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^"'\s]+))/i.exec(attributes)?.slice(1).join('');
    const extension = SOURCE.exec(source?.trim() ?? '')?.[1];
    if (extension && /\btype\s*=\s*["']?\s*module\b/i.test(attributes)) return extension.toLowerCase();
  }
  return undefined;
}
