import type { SiteFile } from '../accept-files.ts';
import { readHeaders } from './headers.ts';
import type { Ignore } from './pattern.ts';
import { readRedirects } from './redirects.ts';

/** Lines of a file that a warning explains. */
const MOST_LINES = 4;
const LONGEST_REASON = 80;

const READERS = { _redirects: readRedirects, _headers: readHeaders };

/**
 * Returns a warning for each control file of a site with lines that do not count, with their numbers.
 * @param entry the path of the start page, whose folder has the control files
 */
export function ignoredRules(site: readonly Pick<SiteFile, 'path' | 'content'>[], entry: string): string[] {
  const root = entry.slice(0, entry.lastIndexOf('/') + 1);
  return Object.entries(READERS).flatMap(([name, read]) => {
    const content = site.find(({ path }) => path === root + name)?.content;
    if (content === undefined) return [];
    const ignored: string[] = [];
    const ignore: Ignore = ({ number }, reason) => ignored.push(`line ${number} (${shortened(reason)})`);
    read(Buffer.from(content), ignore);
    if (ignored.length === 0) return [];
    const more = ignored.length > MOST_LINES ? ` and ${ignored.length - MOST_LINES} more` : '';
    return [`${name}: ignored ${ignored.slice(0, MOST_LINES).join(', ')}${more}`];
  });
}

function shortened(reason: string): string {
  return reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}...` : reason;
}
