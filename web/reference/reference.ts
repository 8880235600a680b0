import { type Html, html } from '../html.ts';
import { browserData } from './browser-data.ts';
import { type Block, type Group, type Item, readContent, type Section, sectionsOf } from './content.ts';
import { BASE } from './languages.ts';
import { type OperationSection, operationGroups } from './operations.ts';
import { layout, methodLabel, sectionHtml } from './render.ts';
import { samplesOf } from './samples.ts';

const TITLE = 'API reference';

/** The service's name as a link to the start page. */
const BRAND = html`<a class="brand" href="/"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4l5 4-5 4M8 12h6"/></svg>prompt-to-project</a>`;

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

/** Returns a page as Markdown. Its links to sections lead to the page as HTML. */
function markdownPage(title: string, groups: readonly Group[]): string {
  const parts = groups.flatMap((group) => [
    ...(group.title ? [`## ${group.title}`] : []),
    ...group.sections.flatMap(sectionParts),
  ]);
  const note = `\`${BASE}\` is the base URL of the service: the origin of this file.`;
  return `${[`# ${title}`, note, ...parts].join('\n\n')}\n`.replaceAll('](#', '](/docs#');
}

function sectionParts(section: Section | OperationSection): string[] {
  const blocks = section.blocks.flatMap(blockParts);
  if (!('operation' in section)) return [`## ${section.title}`, ...blocks];
  const { method, path } = section.operation;
  return [`### ${section.title}`, `\`${method} ${path}\``, ...blocks];
}

function blockParts(block: Block): string[] {
  if ('text' in block) return [block.text];
  if ('code' in block) return [fence(block.language, block.code)];
  if ('items' in block) {
    const list = block.items.flatMap((item) => lines(item, '')).join('\n');
    return block.title ? [`${block.title}:`, list] : [list];
  }
  const { curl, client } = samplesOf(block.id, block.samples, BASE);
  return [fence('shell', curl), fence('javascript', client)];
}

const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;

function lines({ name, type, presence, meaning, nested = [] }: Item, indent: string): string[] {
  const notes = [type, presence].filter(Boolean).join(', ');
  const own = `${indent}- ${name}${notes && ` (${notes})`}${meaning && `: ${meaning}`}`;
  const fields = nested.flatMap((some, at) => [
    ...(at > 0 ? [`${indent}  - or, instead:`] : []),
    ...some.flatMap((item) => lines(item, `${indent}  `)),
  ]);
  return [own, ...fields];
}

/** Returns an introduction for programs, as Markdown. */
export function startMarkdown(): string {
  return markdownPage('prompt-to-project', [{ title: '', sections: sectionsOf(readContent('start.md')) }]);
}
