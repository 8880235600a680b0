import * as z from 'zod';
import { ERRORS } from '../lambda/contract/errors.ts';
import { LIMITS, RATE_LIMIT } from '../lambda/contract/limits.ts';
import { OPERATIONS, type Operation } from '../lambda/contract/operations.ts';
import { type Html, html, prose } from './html.ts';
import { layout } from './layout.ts';

/** The API reference, made from the contract: what the handlers check is what it says. */
export function referencePage(): string {
  const operations = Object.values(OPERATIONS).map(operationSection);
  return layout(
    'API reference · prompt-to-project',
    'Every operation, limit and error of the prompt-to-project API.',
    html`<h1>API reference</h1>
<p class="lead">JSON over HTTP under <code>/api/v1</code>. Public beta; no key is required, a key has higher limits.</p>
<nav aria-label="Sections"><ul>
<li><a href="#operations">Operations</a></li>
<li><a href="#generations">Generations</a></li>
<li><a href="#deployments">Deployments</a></li>
<li><a href="#authentication">Authentication</a></li>
<li><a href="#rate-limits">Rate limits</a></li>
<li><a href="#limits">Limits</a></li>
<li><a href="#errors">Errors</a></li>
<li><a href="/">Start page</a></li>
</ul></nav>
<h2 id="operations">Operations</h2>
<p>Bodies are JSON objects sent with <code>Content-Type: application/json</code>, plain or with
<code>Content-Encoding: gzip</code>. Unknown fields are ignored, so an answer of generate can be sent to deploy as it is.</p>
${operations}
${generations()}
${deployments()}
${authentication()}
${rateLimits()}
${limits()}
${errors()}`,
  );
}

function operationSection(operation: Operation): Html {
  const { method, path, summary, scope, request, responses } = operation;
  const answers = Object.entries(responses).map(([status, meaning]) => row(status, meaning));
  const failures = operation.errors.map((code) => row(String(ERRORS[code].status), ERRORS[code].when));
  return html`<h3><span class="method">${method}</span><code>${path}</code></h3>
<p>${prose(`${summary}.${scope ? ` Needs a key or a token with the scope \`${scope}\`.` : ''}`)}</p>
${request ? html`<h4>Body</h4>${fields(request)}` : html``}
<h4>Answers</h4>
${table(['Status', 'Meaning'], [...answers, ...failures])}`;
}

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
}

function fields(schema: z.ZodType): Html {
  const rows = fieldRows(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema, '');
  return table(['Field', 'Type', 'Required', 'Rules'], rows);
}

function fieldRows({ properties = {}, required = [] }: JsonSchema, prefix: string): Html[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const values = field.enum?.map((value) => `\`${value}\``).join(', ');
    const standard = field.default === undefined ? '' : ` Default: \`${field.default}\`.`;
    const rules = `${field.description ?? ''}${values ? ` One of ${values}.` : ''}${standard}`;
    const cells = [
      html`<code>${path}</code>`,
      html`${field.type ?? ''}`,
      html`${required.includes(name) ? 'yes' : 'no'}`,
    ];
    const own = html`<tr>${[...cells, prose(rules.trim())].map((cell) => html`<td>${cell}</td>`)}</tr>`;
    const nested = field.items ? fieldRows(field.items, `${path}[].`) : fieldRows(field, `${path}.`);
    return [own, ...nested];
  });
}

function generations(): Html {
  const events = [
    row('queued', 'The generation is there.'),
    row(
      'attempt',
      'A provider begins a pass (`plan`, `write` or `repair`), and again with its `outcome` when it ends.',
    ),
    row('plan', 'The files that are going to be written.'),
    row(
      'file',
      'A complete file: `path`, `language`, `bytes`, `content`. Of a repeated path the last one counts.',
    ),
    row('done', 'The answer of generate.'),
    row('error', 'There is none: `status` and `body` of the error.'),
  ];
  return html`<h2 id="generations">Generations</h2>
<p>${prose('A generation has an id before any work starts, in `X-Generation-Id` of every answer about it, and is kept for 24 hours. Whoever loses the connection, or asked with `Prefer: respond-async`, finds it under `/api/v1/generations/{id}`.')}</p>
<p>${prose('With `Accept: text/event-stream` generate and the generation itself answer with server-sent events. `Last-Event-ID` resumes after the event of that id.')}</p>
${table(['Event', 'Meaning'], events)}
<p>${prose('With an `Idempotency-Key` a repeated generate joins the generation that the first one started; the same key with another body is a 422.')}</p>`;
}

function deployments(): Html {
  const served = [
    row(
      '/d/<id>/',
      'The entry. Its folder is the root of the site. Without an HTML file: a list of the files.',
    ),
    row('/d/<id>/app.js', 'The file. Single byte ranges and `If-None-Match` work.'),
    row('/d/<id>/docs', '`docs/index.html`, after a redirect to `/d/<id>/docs/`; else `docs.html`.'),
    row('/d/<id>/else', 'The site’s own `404.html`; else the entry when a person navigates; else a 404.'),
    row('/d/<id>.zip', 'The live version as it was deployed.'),
  ];
  return html`<h2 id="deployments">Deployments</h2>
<p>${prose('A deploy takes place at one moment: visitors see the whole old site or the whole new one. With a `projectId` the URL stays the same, and the last ten versions stay.')}</p>
<p>${prose('`ETag` of a deploy’s answer is its version. Sent as `If-Match` with the next deploy, it lets nobody overwrite what he has not seen: 412. With an `Idempotency-Key` a repeated deploy is answered as the first one was, for a day.')}</p>
<p>${prose('A deployment belongs to the key that made it. One made without a key belongs to whoever has the `X-Deployment-Token` of its deploy’s answer: it is needed to list versions, roll back and delete.')}</p>
<p>${prose(`A body of up to ${LIMITS.sentBodyBytes.toLocaleString('en')} bytes is accepted as it is sent; more fits with \`Content-Encoding: gzip\`. A large one is answered with a 303: follow it with GET, as \`curl -L\` and \`fetch\` do.`)}</p>
<p>${prose('Paths are refused rather than repaired. References in HTML and CSS that begin with `/` and name a file of the site are served with `/d/<id>` before them; what a script asks for at `/` is redirected to its own site.')}</p>
${table(['Address', 'What is there'], served)}`;
}

function authentication(): Html {
  return html`<h2 id="authentication">Authentication</h2>
<p>${prose('An API key is sent as `Authorization: Bearer ptp_…` or as `X-API-Key: ptp_…`, an OAuth access token as `Authorization: Bearer …`. Any call may carry one; it then has higher limits, and what it makes belongs to it. A credential that does not hold is a 401 and not an anonymous call, and says what is wrong with it. It counts for the address that sent it.')}</p>
<p>${prose('Whoever runs the service makes keys with `npm run keys`; a revoked one is dead within 60 seconds, a rotated one keeps its owner. Tokens are those of the issuer that the service is configured with; the scope is `assets:write`, or with the prefix of the resource server.')}</p>
<p>${prose('`GET /api/v1/usage` tells a key or token what it was used for.')}</p>`;
}

function rateLimits(): Html {
  const { anonymous, key, windowSeconds } = RATE_LIMIT;
  return html`<h2 id="rate-limits">Rate limits</h2>
<p>${anonymous} requests per ${windowSeconds} seconds for each address (an IPv6 address counts with its /64), ${key} with
an API key unless the key has a limit of its own. These are the defaults of a stage. Every POST, PATCH and DELETE
counts, also one that is refused; reads do not count.</p>
<p>The window opens with the first request in it and ends ${windowSeconds} seconds later.</p>
${table(
  ['Header', 'Meaning'],
  [
    row('X-RateLimit-Limit', 'Requests per window.'),
    row('X-RateLimit-Remaining', 'Requests that are left in this window.'),
    row('X-RateLimit-Reset', 'When the window ends, as Unix time in seconds.'),
    row('RateLimit, RateLimit-Policy', 'The same as the IETF’s draft has it.'),
    row('Retry-After', 'On a 429: seconds to wait. Who waits that long is let in.'),
  ],
)}
<p>${prose('The body of a 429 is `{ "error", "retryAfter", "docs" }`. After a 429 or a 5xx, wait as long as `Retry-After` says; without it wait 1 s, then 2 s, then 4 s, and stop after three retries.')}</p>`;
}

function limits(): Html {
  const number = (value: number) => value.toLocaleString('en');
  return html`<h2 id="limits">Limits</h2>
${table(
  ['Limit', 'Value'],
  [
    row('Prompt', `${number(LIMITS.promptCharacters)} characters`),
    row('Files per deployment', number(LIMITS.filesPerDeployment)),
    row('File', `${number(LIMITS.fileBytes)} bytes (1 MB)`),
    row('Deployment', `${number(LIMITS.deploymentBytes)} bytes (10 MB)`),
    row('Path', `${number(LIMITS.pathBytes)} bytes`),
    row('A provider’s time', 'two minutes'),
    row('Echoed prompt', `the first ${LIMITS.echoedPromptCharacters} characters`),
  ],
)}`;
}

function errors(): Html {
  const rows = Object.values(ERRORS).map(({ status, when }) => row(String(status), when));
  return html`<h2 id="errors">Errors</h2>
<p>${prose('Every error is JSON with an `error` that a person can read. `X-Request-Id` names the request in the logs of the service.')}</p>
${table(['Status', 'When'], rows)}`;
}

function row(name: string, meaning: string): Html {
  return html`<tr><td><code>${name}</code></td><td>${prose(meaning)}</td></tr>`;
}

function table(heads: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="scroll"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
