import { bundleText, digest, inlineJson } from '../bundle.ts';
import { type Html, html, raw } from '../html.ts';

export interface Page {
  readonly title: string;
  readonly description: string;
  /** Path of the same content as Markdown. */
  readonly markdown: string;
  /** What the script finds as the JSON of `#data`. */
  readonly data: unknown;
  readonly body: Html;
}

/**
 * Returns a page of the reference. Style and scripts are inline: the page loads with one request, and its policy allows them by
 * their hashes, which no file of a deployed page has, although it can share the origin. The policy is in the page, because
 * the page stays at the edge for minutes after a header has changed.
 */
export function layout({ title, description, markdown, data, body }: Page): string {
  const style = bundleText('reference/reference.css');
  const early = bundleText('reference/browser/early.ts');
  const later = bundleText('reference/browser/reference.ts');
  const scripts = [early, later].map(digest).join(' ');
  const policy = `default-src 'none'; style-src ${digest(style)}; script-src ${scripts}; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
  return html`<!doctype html>
<html lang="en" data-language="curl">
<!-- Licenses of the software in this page: /licenses.txt -->
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="alternate" href="${markdown}" type="text/markdown">
<style>${raw(style)}</style>
<script>${raw(early)}</script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${body}
<p class="hidden" role="status" id="status"></p>
<script type="application/json" id="data">${raw(inlineJson(data))}</script><script>${raw(later)}</script>
</body>
</html>
`.text;
}
