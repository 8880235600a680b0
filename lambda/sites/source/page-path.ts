/** Returns the path that a URL has in the project, without query and fragment; empty if browsers load nothing from it. */
export function pathOf(url: string, from: string): string {
  const base = from.split('/').map((part) => encodeURIComponent(part.toWellFormed()));
  // URLs may have tabs and line feeds, without which they can name an invalid host.
  const pathname = URL.parse(url, `file:///${base.join('/')}`)?.pathname ?? '/';
  try {
    return decodeURIComponent(pathname).slice(1);
  } catch {
    return pathname.slice(1);
  }
}
