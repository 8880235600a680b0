import { ERRORS, type ErrorCode } from '../lambda/contract/errors.ts';
import { OPERATIONS, type Operation, type OperationName } from '../lambda/contract/operations.ts';
import { RESPONSES } from '../lambda/contract/responses/operations.ts';
import { type Example, readExamples } from './examples.ts';
import { fields } from './fields.ts';
import { type Html, html, prose } from './html.ts';
import { row, table } from './table.ts';

const NAMES = Object.keys(OPERATIONS) as OperationName[];

/** Returns links to the operations, without the common prefix of their paths. */
export function operationLinks(): Html {
  const links = NAMES.map((name) => {
    const { method, path } = OPERATIONS[name];
    const short = path.replace('/api/v1', '');
    return html`<li><a href="#${name}"><span class="method">${method}</span>${short}</a></li>`;
  });
  return html`<ul class="operations">${links}</ul>`;
}

/** Returns a section per operation, whose fragment is the operation's name. */
export function operationSections(): Html[] {
  const examples = readExamples();
  return NAMES.map((name) => operationSection(name, examples[name]));
}

/** @param example undefined for a new operation, before its example is recorded */
function operationSection(name: OperationName, example: Example | undefined): Html {
  const { method, path, summary, scope, query, request }: Operation = OPERATIONS[name];
  const requirement = scope ? ` Requires an API key or access token with the scope \`${scope}\`.` : '';
  return html`<h3 id="${name}"><a href="#${name}"><span class="method">${method}</span><code>${path}</code></a></h3>
<p>${prose(`${summary}.${requirement}`)}</p>
${query ? html`<h4>Query parameters</h4>${fields(query)}` : html``}
${request ? html`<h4>Request body</h4>${fields(request)}` : html``}
<h4>Responses</h4>
${table(['Status', 'Meaning'], statuses(name))}
${responseBody(name)}
${example ? html`<h4>Example</h4><pre><code>${example.curl}</code></pre><pre><code>${example.response}</code></pre>` : html``}`;
}

function statuses(name: OperationName): Html[] {
  const { responses, errors }: Operation = OPERATIONS[name];
  const descriptions: { readonly [Code in ErrorCode]?: string } = RESPONSES[name].errors ?? {};
  const successes = Object.entries(responses).map(([status, meaning]) => ({
    status: Number(status),
    meaning,
  }));
  const failures = errors.map((code) => ({
    status: ERRORS[code].status,
    meaning: descriptions[code] ?? ERRORS[code].when,
  }));
  return [...successes, ...failures]
    .toSorted((a, b) => a.status - b.status)
    .map(({ status, meaning }) => row(String(status), meaning));
}

/** Returns the fields of a success, or a link to an earlier operation with the same fields. */
function responseBody(name: OperationName): Html {
  const { body } = RESPONSES[name];
  if (!body) return html``;
  const first = NAMES.find((other) => RESPONSES[other].body === body) ?? name;
  const { method, path } = OPERATIONS[first];
  const same = html`<p>Same as for <a href="#${first}">${method} ${path}</a>.</p>`;
  return html`<h4>Response body</h4>${first === name ? fields(body) : same}`;
}
