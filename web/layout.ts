import { readFileSync } from 'node:fs';
import type { Html } from './html.ts';
import { html } from './html.ts';

const style = readFileSync(new URL('./style.css', import.meta.url), 'utf8');

/** A page of the service; its style stands inside, so that it is one request. */
export function layout(title: string, description: string, main: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 4l5 4-5 4M8 12h6' fill='none' stroke='%230b7' stroke-width='2'/%3E%3C/svg%3E">
<style>
STYLE
</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`.text.replace('STYLE', () => style);
}
