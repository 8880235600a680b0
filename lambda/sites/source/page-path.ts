/** Returns the path that a URL has in the project, without query and fragment. */
export function pathOf(url: string, from: string): string {
  const { pathname } = new URL(url, `file:///${from.split('/').map(encodeURIComponent).join('/')}`);
  try {
    return decodeURIComponent(pathname).slice(1);
  } catch {
    return pathname.slice(1);
  }
}
