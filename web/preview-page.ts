import { bundleText } from './bundle.ts';
import { html, raw } from './html.ts';

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
