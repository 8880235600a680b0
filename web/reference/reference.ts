import { type Html, html } from '../html.ts';
import { browserData } from './browser-data.ts';
import { type Group, readContent, type Section, sectionsOf } from './content.ts';
import { layout } from './layout.ts';
import { markdownPage } from './markdown.ts';
import { type OperationSection, operationGroups } from './operations.ts';
import { methodLabel, sectionHtml } from './render/section.ts';

const TITLE = 'API reference';

/** The service's name as a link to the start page. */
export const BRAND = html`<a class="brand" href="/"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4l5 4-5 4M8 12h6"/></svg>prompt-to-project</a>`;

const SEARCH = html`<button class="search" type="button" data-script data-search aria-haspopup="dialog" aria-keyshortcuts="/">Search<kbd aria-hidden="true">/</kbd></button>`;

type Groups = readonly Group<Section | OperationSection>[];

/** Returns the sections of the reference by group: the introduction, the operations and the guides. */
function referenceGroups(): Groups {
  const [introduction, ...guides] = sectionsOf(readContent('guides.md'));
  const first = { title: '', sections: introduction ? [introduction] : [] };
  return [first, ...operationGroups(), { title: 'Guides', sections: guides }];
}

/** Returns the API reference, generated from the schemas that the handlers validate with. */
export function referencePage(): string {
  const groups = referenceGroups();
  return layout({
    title: `${TITLE} · prompt-to-project`,
    description: 'Every operation, limit and error of the prompt-to-project API.',
    markdown: '/docs.md',
    data: browserData(groups),
    body: html`<header class="bar top">${BRAND}${SEARCH}<button type="button" popovertarget="contents">Contents</button></header>
<div class="page"><nav id="contents" aria-label="Contents" popover><div class="wide">${BRAND}${SEARCH}</div>
${groups.map(contents)}</nav>
<main id="main" tabindex="-1"><h1>${TITLE}</h1>
${groups.map(({ title, sections }) => html`${title !== 'Guides' && title ? html`<h2 class="group">${title}</h2>` : undefined}${sections.map(sectionHtml)}`)}
<footer>This page as <a href="/docs.md">Markdown</a> · <a href="/api/v1/openapi.json">OpenAPI 3.2</a> · <a href="/api/v1/openapi-3.1.json">OpenAPI 3.1</a> · <a href="/client.js">JavaScript client</a> · <a href="/llms.txt">llms.txt</a></footer>
</main></div>
<dialog id="search" aria-label="Search the reference"><input type="search" role="combobox" aria-label="Search the reference" aria-controls="results" aria-expanded="false" aria-autocomplete="list" placeholder="Operation, field, status or word" autocomplete="off" spellcheck="false"><ul id="results" role="listbox" aria-label="Results"></ul><p hidden>Nothing found.</p></dialog>
<dialog id="try" aria-labelledby="try-title"></dialog>`,
  });
}

function contents({ title, sections }: Groups[number]): Html {
  const links = sections.map((section) => {
    const method = 'operation' in section ? methodLabel(section.operation.method) : undefined;
    return html`<li><a href="#${section.id}"><span>${section.title}</span>${method}</a></li>`;
  });
  return html`${title ? html`<p>${title}</p>` : undefined}<ul>${links}</ul>
`;
}

/** Returns the reference as Markdown. */
export function referenceMarkdown(): string {
  return markdownPage(`${TITLE} of prompt-to-project`, referenceGroups());
}

/** Returns the file for language models (https://llmstxt.org): a title, a summary, and lists of links. */
export function llmsText(): string {
  const sections = operationGroups().flatMap((group) => group.sections);
  const links = sections.map(({ id, title, operation }) => {
    return `- [${title}](/docs#${id}): \`${operation.method} ${operation.path}\``;
  });
  return readContent('llms.md').replace('{{operations}}', links.join('\n'));
}
