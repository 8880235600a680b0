/** Knows URLs that are bad, such as those of a list. */
export interface BadUrls {
  /** Returns those of some URLs that are bad. */
  readonly find: (urls: readonly string[]) => Promise<readonly string[]>;
}

/**
 * Returns the bad URLs of a list: one a line, as the name of a host, which includes its subdomains, or as the beginning of a URL. What
 * follows `#` after a space, or at the beginning of a line, is a comment.
 */
export function listedUrls(list: string): BadUrls {
  const prefixes = new Map<string, string[]>();
  for (const line of list.split('\n')) {
    const entry = parse(line.replace(/(?:^|\s)#.*/, '').trim());
    if (entry) prefixes.set(entry.host, [...(prefixes.get(entry.host) ?? []), entry.path]);
  }
  const isBad = (text: string) => {
    const url = parse(text);
    return url !== undefined && hostsOf(url.host).some((host) => prefixes.get(host)?.some(begins(url.path)));
  };
  return { find: async (urls) => urls.filter(isBad) };
}

const begins = (path: string) => (prefix: string) => path.startsWith(prefix);

/** Returns the host of a URL, and what follows it; a host alone has the path `/`. */
function parse(text: string): { readonly host: string; readonly path: string } | undefined {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  return url?.hostname ? { host: url.hostname, path: url.pathname + url.search } : undefined;
}

/** Returns a host and the domains that it is in. */
function hostsOf(host: string): string[] {
  const labels = host.split('.');
  return labels.map((_, i) => labels.slice(i).join('.'));
}
