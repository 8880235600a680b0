import { readContent, sectionsOf } from './content.ts';
import { layout } from './layout.ts';
import { markdownPage } from './markdown.ts';
import { BRAND } from './reference.ts';
import { html } from './render/html.ts';
import { blockHtml } from './render/section.ts';

const TITLE = 'prompt-to-project';

/** Returns the page at the base URL. */
export function startPage(): string {
  const [section] = sectionsOf(readContent('start.md'));
  const [lead, ...blocks] = section?.blocks ?? [];
  return layout({
    title: TITLE,
    description: lead && 'text' in lead ? lead.text : '',
    markdown: '/index.md',
    name: 'start',
    body: html`<header class="bar top">${BRAND}<a href="/docs">API reference</a></header>
<main id="main" tabindex="-1"><h1>${section?.title}</h1><div class="lead">${lead && blockHtml(lead)}</div>
${blocks.map(blockHtml)}</main>`,
  });
}

/** Returns the page at the base URL as Markdown. */
export function startMarkdown(): string {
  return markdownPage(TITLE, [{ title: '', sections: sectionsOf(readContent('start.md')) }]);
}
