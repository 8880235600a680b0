import { ERRORS, type ErrorCode } from '../lambda/contract/errors.ts';
import { OPERATIONS, type Operation, type OperationName } from '../lambda/contract/operations.ts';
import { RESPONSES } from '../lambda/contract/responses/operations.ts';
import { EXAMPLES } from './examples.ts';
import { fields } from './fields.ts';
import { type Html, html, prose } from './html.ts';
import { row, table } from './table.ts';

const NAMES = Object.keys(OPERATIONS) as OperationName[];

/** Links to the operations; what all of their paths begin with is left out. */
export function operationLinks(): Html {
  const links = NAMES.map((name) => {
    const { method, path } = OPERATIONS[name];
    const short = path.replace('/api/v1', '');
    return html`<li><a href="#${name}"><span class="method">${method}</span>${short}</a></li>`;
  });
  return html`<ul class="operations">${links}</ul>`;
}

/** Every operation, each under its name as the fragment of its address. */
export function operationSections(): Html[] {
  return NAMES.map(operationSection);
}

function operationSection(name: OperationName): Html {
  const { method, path, summary, scope, query, request }: Operation = OPERATIONS[name];
  const needs = scope ? ` Needs a key or a token with the scope \`${scope}\`.` : '';
  const { curl, answer } = EXAMPLES[name];
  return html`<h3 id="${name}"><a href="#${name}"><span class="method">${method}</span><code>${path}</code></a></h3>
<p>${prose(`${summary}.${needs}`)}</p>
${query ? html`<h4>Query</h4>${fields(query)}` : html``}
${request ? html`<h4>Body</h4>${fields(request)}` : html``}
<h4>Answers</h4>
${table(['Status', 'Meaning'], statuses(name))}
${answerBody(name)}
<h4>Example</h4>
<pre><code>${curl}</code></pre>
<pre><code>${answer}</code></pre>`;
}

function statuses(name: OperationName): Html[] {
  const { responses, errors }: Operation = OPERATIONS[name];
  const words: { readonly [Code in ErrorCode]?: string } = RESPONSES[name].errors ?? {};
  const answers = Object.entries(responses).map(([status, meaning]) => ({ status: Number(status), meaning }));
  const failures = errors.map((code) => ({
    status: ERRORS[code].status,
    meaning: words[code] ?? ERRORS[code].when,
  }));
  return [...answers, ...failures]
    .toSorted((a, b) => a.status - b.status)
    .map(({ status, meaning }) => row(String(status), meaning));
}

/** The fields of a success; where another operation answers the same, they stand with the first that does. */
function answerBody(name: OperationName): Html {
  const { body } = RESPONSES[name];
  if (!body) return html``;
  const first = NAMES.find((other) => RESPONSES[other].body === body) ?? name;
  const { method, path } = OPERATIONS[first];
  const same = html`<p>As that of <a href="#${first}">${method} ${path}</a>.</p>`;
  return html`<h4>Body of the answer</h4>${first === name ? fields(body) : same}`;
}
