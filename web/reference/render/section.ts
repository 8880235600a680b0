import { type Html, html, prose } from '../../html.ts';
import type { Block, Item, Section } from '../content.ts';
import type { OperationSection } from '../operations.ts';
import { codePanel, samplesPanel } from './code.ts';

/** Returns a section; its code is beside the text if the page is wide. */
export function sectionHtml(section: Section | OperationSection): Html {
  const { id, title, blocks } = section;
  const isCode = (block: Block) => 'code' in block || 'samples' in block;
  const side = blocks.filter(isCode).map(blockHtml);
  const heading =
    'operation' in section
      ? html`<h3 id="${id}-title">${title}</h3>`
      : html`<h2 id="${id}-title">${title}</h2>`;
  return html`<section id="${id}" aria-labelledby="${id}-title"><div>
<div class="heading">${heading}${anchor(id, title)}</div>
${'operation' in section ? route(section) : undefined}${blocks.filter((block) => !isCode(block)).map(blockHtml)}</div>
${side.length > 0 ? html`<div class="side">${side}</div>` : undefined}</section>
`;
}

/** Returns the method with the class of its color. */
export function methodLabel(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

function route({ id, operation: { method, path, title } }: OperationSection): Html {
  return html`<p class="route">${methodLabel(method)}<code>${path}</code><button class="primary" type="button" data-script data-try="${id}" aria-haspopup="dialog">Try it<span class="hidden">: ${title}</span></button></p>
`;
}

/** Returns a part of a section. */
export function blockHtml(block: Block): Html {
  if ('text' in block) return html`<p>${prose(block.text)}</p>\n`;
  if ('code' in block) return codePanel(block.label, block.code, block.language);
  if ('samples' in block) return samplesPanel(block.id, block.samples);
  const { title, items, folded } = block;
  if (folded) return html`<details><summary>${title}</summary>${list(items)}</details>\n`;
  return html`${title ? html`<h4>${title}</h4>` : undefined}${list(items)}\n`;
}

function list(items: readonly Item[]): Html {
  // Without types and nested fields, names and meanings are beside each other.
  const isTerms = items.every(({ type, presence }) => !type && !presence);
  return html`<ul class="items${isTerms ? ' terms' : ''}">${items.map(itemHtml)}</ul>`;
}

function itemHtml({ id, name, type, presence, meaning, nested = [] }: Item): Html {
  const plain = name.replaceAll('`', '');
  const fields = nested.map((some, at) => {
    const either = nested.length > 1 ? html`<p class="either">${at === 0 ? 'Either' : 'Or'}</p>` : undefined;
    return html`${either}${list(some)}`;
  });
  return html`<li${id ? html` id="${id}"` : undefined}><div class="name">${prose(name)}${type && html`<span>${type}</span>`}${presence && html`<span class="${presence}">${presence}</span>`}${id && anchor(id, plain)}</div>
${meaning && html`<p>${prose(meaning)}</p>`}${fields.length > 0 ? html`<details><summary>Fields of ${plain}</summary>${fields}</details>` : undefined}</li>
`;
}

function anchor(id: string, title: string): Html {
  return html`<a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a>`;
}
