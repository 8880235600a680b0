import { type ParseOptions, parse } from 'sugar-high/core';
import * as javascript from 'sugar-high/lang/javascript';
import * as json from 'sugar-high/lang/json';
import * as python from 'sugar-high/lang/python';
import * as shell from 'sugar-high/lang/shell';
import type { OperationName } from '../../lambda/contract/operations.ts';
import { escapeHtml } from '../../lambda/platform/html.ts';
import { bundleText, digest, inlineJson } from '../bundle.ts';
import { type Html, html, prose, raw } from '../html.ts';
import type { Block, Item, Section } from './content.ts';
import type { Recording } from './examples/recorder.ts';
import { BASE, type Language, SAMPLES } from './languages.ts';
import type { OperationSection } from './operations.ts';
import { samplesOf } from './samples.ts';

/** Returns a section; its code is beside the text if the page is wide. */
export function sectionHtml(section: Section | OperationSection): Html {
  const { id, title, blocks } = section;
  const isCode = (block: Block) => 'code' in block || 'samples' in block;
  const side = blocks.filter(isCode).map(blockHtml);
  const heading =
    'operation' in section ? html`<h3 id="${id}-title">${title}</h3>` : html`<h2 id="${id}-title">${title}</h2>`;
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

const COPY = html`<button class="copy" type="button" data-script>Copy</button>`;

/** Returns code under a label, with a button that copies it. */
function codePanel(label: string, code: string, language: Language): Html {
  return html`<figure class="code"><figcaption class="bar"><span>${label}</span>${COPY}</figcaption><pre tabindex="0"><code>${highlight(code, language)}</code></pre></figure>
`;
}

/** Returns the request of an example in a tab for each language. The script and the style sheet know the attributes. */
function samplesPanel(name: OperationName, example: Recording): Html {
  const codes = samplesOf(name, example, BASE);
  const tabs = SAMPLES.map(({ id, label }, at) => {
    return html`<button role="tab" type="button" id="tab-${name}-${id}" aria-controls="sample-${name}-${id}" aria-selected="${String(at === 0)}" tabindex="${at === 0 ? 0 : -1}" data-language="${id}">${label}</button>`;
  });
  const panels = SAMPLES.map(({ id, language }) => {
    return html`<pre role="tabpanel" id="sample-${name}-${id}" aria-labelledby="tab-${name}-${id}" tabindex="0" data-language="${id}"><code>${highlight(codes[id], language)}</code></pre>`;
  });
  return html`<div class="code"><div class="bar"><div role="tablist" aria-label="Language of the sample">${tabs}</div>${COPY}</div>${panels}</div>
`;
}

/** `http` is a status line and headers, and a body of JSON. */
const GRAMMARS: Readonly<Record<Language, ParseOptions>> = {
  shell,
  // Its declarations name a function that the module does not export.
  javascript: javascript as Omit<typeof javascript, 'tokenize'>,
  python,
  json,
  http: json,
};

/** Types of tokens that have a color, and a class in the style sheet. */
const COLORED = ['keyword', 'string', 'comment', 'property', 'class'];

/** Returns code as HTML with classes for its tokens, and marks the base URL, so that the page can replace it. */
function highlight(code: string, language: Language): Html {
  const [head, body] = language === 'http' ? code.split(/(?<=\n)\n/) : ['', code];
  const colored = language === 'shell' ? ['keyword', 'string', 'comment'] : COLORED;
  const token = ({ type, value }: { readonly type: string; readonly value: string }) => {
    const marked = markBase(value);
    return marked && colored.includes(type) ? `<span class="${type}">${marked}</span>` : marked;
  };
  const lines = parse(body ?? '', GRAMMARS[language]).lines.map(({ tokens }) => tokens.map(token).join(''));
  return raw(`${markBase(head ?? '')}${head && body ? '\n' : ''}${lines.join('\n')}`);
}

function markBase(code: string): string {
  return escapeHtml(code).replaceAll(BASE, `<span data-base>${BASE}</span>`);
}

interface Page {
  readonly title: string;
  readonly description: string;
  /** Path of the same content as Markdown. */
  readonly markdown: string;
  /** The JSON of `#data`, for the script. */
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
