import { ERRORS } from '../lambda/contract/errors.ts';
import { LIMITS, RATE_LIMIT } from '../lambda/contract/limits.ts';
import { type Html, html, prose } from './html.ts';
import { row, table } from './table.ts';

export function generations(): Html {
  const events = [
    row('queued', 'The generation is there.'),
    row(
      'attempt',
      'A call of a provider begins (its `kind` is `plan`, `write` or `repair`); sent again with its `outcome` when it ends.',
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
<p>${prose('A generation has an id before any work starts. Every answer about it carries the id in `X-Generation-Id`, errors included, and it is kept for 24 hours. After a lost connection, or with `Prefer: respond-async`, read it at `/api/v1/generations/{id}`.')}</p>
<p>${prose('A generation made with an API key or token is visible to that caller only; for others it is a 404. An anonymous generation is protected by its id alone: anyone who knows the id can read and cancel it, so keep it secret.')}</p>
<p>${prose('`X-Generation-Status` is `succeeded` when the last answer was complete or the whole plan is written. It is `incomplete` when files are missing because no provider was left to continue; `problems` of the generation lists what is missing.')}</p>
<p>${prose('With `Accept: text/event-stream` generate and the generation itself answer with server-sent events. `Last-Event-ID` resumes after the event of that id.')}</p>
${table(['Event', 'Meaning'], events)}
<p>${prose('With an `Idempotency-Key`, a repeated generate joins the generation that the first one started. If that one ended with 503 or 504, the same key starts it again, at most once at a time. The same key with another body is a 422.')}</p>`;
}

export function deployments(): Html {
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
<p>${prose('A deployment belongs to the key that made it. One made without a key belongs to the holder of its `X-Deployment-Token`, which is needed to list versions, roll back and delete. Only the first answer carries the token; later answers carry it to a caller that sent it. Once a deploy has sent it, the `projectId` requires it (401 otherwise); a wrong token is a 403.')}</p>
<p>${prose(`A body of up to ${LIMITS.sentBodyBytes.toLocaleString('en')} bytes is accepted as it is sent; more fits with \`Content-Encoding: gzip\`. A large one, and one of any size without \`Content-Length\`, is answered with a 303: follow it with the same credentials, as \`curl -L\` and \`fetch\` do; what was sent is not deployed before.`)}</p>
<p>${prose('Paths are refused rather than repaired. References in HTML and CSS that begin with `/` and name a file of the site are served with `/d/<id>` before them; what a script asks for at `/` is redirected to its own site.')}</p>
${table(['Address', 'What is there'], served)}`;
}

export function authentication(): Html {
  return html`<h2 id="authentication">Authentication</h2>
<p>${prose('An API key is sent as `Authorization: Bearer ptp_…` or as `X-API-Key: ptp_…`, an OAuth access token as `Authorization: Bearer …`. Any call may carry one; it then has higher limits, and what it makes belongs to it. A credential that does not hold is a 401 and not an anonymous call, and says what is wrong with it. It counts for the address that sent it.')}</p>
<p>${prose('Whoever runs the service makes keys with `npm run keys`; a revoked one is dead within 60 seconds, a rotated one keeps its owner. Tokens are those of the issuer that the service is configured with; the scope is `assets:write`, or with the prefix of the resource server.')}</p>
<p>${prose('`GET /api/v1/usage` tells a key or token what it was used for.')}</p>`;
}

export function rateLimits(): Html {
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

export function limits(): Html {
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

export function errors(): Html {
  const rows = Object.values(ERRORS).map(({ status, when }) => row(String(status), when));
  return html`<h2 id="errors">Errors</h2>
<p>${prose('Every error is JSON with an `error` that a person can read. `X-Request-Id` names the request in the logs of the service.')}</p>
${table(['Status', 'When'], rows)}`;
}
