import { bundleText, digest, inlineJson, LOADER_POLICY, split } from './bundle.ts';
import type { ConsoleData } from './console/data.ts';
import { html, raw } from './html.ts';
import { readContent, sectionsOf } from './reference/content.ts';
import { blockHtml } from './reference/render.ts';

const MAIN = 'console/main.tsx';

/**
 * Returns the console, the page at the base URL. It is one file, like the reference: style and script are inline and allowed by
 * their hashes. What the script loads later is allowed by `strict-dynamic`: `'self'` would allow any file of a deployed page.
 */
export function consolePage(data: ConsoleData): string {
  const style = bundleText('console/console.css');
  const { script } = split(MAIN);
  const policy = [
    "default-src 'none'",
    `style-src ${digest(style)}`,
    `script-src ${digest(script)} 'strict-dynamic'`,
    // Pictures of generations are requested with credentials.
    "img-src 'self' blob:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${LOADER_POLICY}`,
  ].join('; ');
  const [section] = sectionsOf(readContent('start.md'));
  const [lead] = section?.blocks ?? [];
  return html`<!doctype html>
<html lang="en">
<!-- Licenses of the software in this page: /licenses.txt -->
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<title>prompt-to-project</title>
<meta name="description" content="${lead && 'text' in lead ? lead.text : ''}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="alternate" href="/index.md" type="text/markdown">
<style>${raw(style)}</style>
</head>
<body>
<div id="app"></div>
<noscript><main class="plain"><h1>${section?.title}</h1>${lead && blockHtml(lead)}
<p>The console needs JavaScript. <a href="/docs">The API reference</a> does not; <a href="/index.md">the introduction</a> has commands for a shell.</p></main></noscript>
<script type="application/json" id="data">${raw(inlineJson(data))}</script><script>${raw(script)}</script>
</body>
</html>
`.text;
}

/** Returns the files that the console loads later, by the key of their object. */
export const consoleChunks = () => split(MAIN).chunks;

/**
 * Returns the page that runs projects in a frame of the console. Its headers give it an opaque origin and a policy
 * (`lib/front-door/page-headers.ts`).
 */
export const previewPage = (): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Preview</title>
</head>
<body>
<script>${raw(bundleText('console/preview/frame/main.ts').replaceAll('</script', '<\\/script'))}</script>
</body>
</html>
`.text;
