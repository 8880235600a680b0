import { ERRORS } from '../lambda/contract/errors.ts';
import { LIMITS, RATE_LIMIT } from '../lambda/contract/limits.ts';
import { type Html, html, prose } from './html.ts';
import { row, table } from './table.ts';

export function generations(): Html {
  const events = [
    row('queued', 'The generation was created.'),
    row(
      'attempt',
      'A provider is called; `kind` is `plan`, `write` or `repair`. Sent again with the `outcome` when the attempt ends.',
    ),
    row('plan', 'The planned `files`, and `matched` as in the generation.'),
    row(
      'file',
      'A complete file: `path`, `language`, `bytes`, `content`. A repeated path replaces the earlier file.',
    ),
    row('done', 'The response of generate.'),
    row('error', 'The generation has no result: `status` and `body` of the error response.'),
  ];
  return html`<h2 id="generations">Generations</h2>
<p>${prose('A generation has an id before any work starts. Every response about it, including errors, carries the id in `X-Generation-Id`. After a lost connection, or with `Prefer: respond-async`, retrieve the generation at `/api/v1/generations/{id}`. Generations are kept for 24 hours.')}</p>
<p>${prose('A generation made with an API key or access token is visible to that caller only; others get a 404. An anonymous generation is protected only by its id: anyone who knows it can read and cancel the generation, so keep it secret.')}</p>
<p>${prose('`X-Generation-Status` is `succeeded` if the last attempt was complete or all planned files were written. It is `incomplete` if files are missing because no provider was left to continue; `problems` of the generation lists what is missing.')}</p>
<p>${prose('`X-Generation-Matched` is the starter project that the embedded provider chose, such as `timer`, or `none` if none fits the prompt: the project is then a page that says so.')}</p>
<p>${prose('With `Accept: text/event-stream`, generate and `GET /api/v1/generations/{id}` respond with server-sent events. To resume a stream, send the id of the last event in `Last-Event-ID`.')}</p>
${table(['Event', 'Meaning'], events)}
<p>${prose('With an `Idempotency-Key`, a repeated generate request joins the generation of the first one. If that generation failed with a 503 or 504, it is started again, at most once at a time. The same key with a different body is a 422.')}</p>`;
}

export function deployments(): Html {
  const served = [
    row(
      '/d/<id>/',
      'The entry, whose folder is the root of the site. Without an HTML file, a list of the files.',
    ),
    row('/d/<id>/app.js', 'The file, with support for single byte ranges and `If-None-Match`.'),
    row('/d/<id>/docs', '`docs/index.html`, after a redirect to `/d/<id>/docs/`; otherwise `docs.html`.'),
    row('/d/<id>/other', 'The site’s `404.html`; without one, the entry for navigations, else a 404.'),
    row('/d/<id>.zip', 'The files of the live version as they were deployed.'),
  ];
  return html`<h2 id="deployments">Deployments</h2>
<p>${prose('Deploys are atomic: visitors see either the old version or the new one. With a `projectId`, the URL stays the same, and the last ten versions are kept.')}</p>
<p>${prose('The `ETag` of a deploy response is its version. Send it as `If-Match` with the next deploy to avoid overwriting a version that you have not seen: if another version is live, the deploy is a 412. With an `Idempotency-Key`, a repeated deploy returns the first response for a day.')}</p>
<p>${prose('A deployment belongs to the API key or access token that made it. One made without a credential belongs to the holder of its `X-Deployment-Token`, which is required to retrieve, roll back and delete it. Only the first response carries the token; later ones carry it to callers that send it. Once a deploy has sent the token, the `projectId` requires it: without it, a deploy is a 401. A wrong token is a 403.')}</p>
<p>${prose(`A request body can have up to ${LIMITS.sentBodyBytes.toLocaleString('en')} bytes as sent; use \`Content-Encoding: gzip\` to send more. The response to a large body, or to one without \`Content-Length\`, is a 303. Follow it with the same credentials, as \`curl -L\` and \`fetch\` do: the files are not deployed before.`)}</p>
<p>${prose('Unsafe paths are rejected, not corrected. References in HTML and CSS that begin with `/` and name a file of the site are served with the prefix `/d/<id>`. Requests of scripts to paths at `/` are redirected to their site.')}</p>
${table(['URL', 'Content'], served)}`;
}

export function authentication(): Html {
  return html`<h2 id="authentication">Authentication</h2>
<p>${prose('Send an API key as `Authorization: Bearer ptp_…` or `X-API-Key: ptp_…`, and an OAuth access token as `Authorization: Bearer …`. Every operation accepts a credential; it raises the rate limit and owns the resources that it creates. A request with an invalid credential is not treated as anonymous: it is a 401 with the reason, and counts against the rate limit of its address.')}</p>
<p>${prose('The operator creates keys with `npm run keys`. A revoked key stops working within 60 seconds; the successor of a rotated key has the same owner. Access tokens come from the configured issuer. Their scope is `assets:write`, with the prefix of the resource server if it has one.')}</p>
<p>${prose('`GET /api/v1/usage` returns the usage of a key or token.')}</p>`;
}

export function rateLimits(): Html {
  const { anonymous, key, windowSeconds } = RATE_LIMIT;
  return html`<h2 id="rate-limits">Rate limits</h2>
<p>By default, ${anonymous} requests per ${windowSeconds} seconds for each address (the addresses of an IPv6 /64 count
together), and ${key} for each API key or access token, unless the key has its own limit. Every POST, PATCH and DELETE
counts, including rejected ones; reads do not count, except for the <code>GET</code> that deploys a stored body.</p>
<p>A window opens with its first request and ends ${windowSeconds} seconds later.</p>
${table(
  ['Header', 'Meaning'],
  [
    row('X-RateLimit-Limit', 'Requests per window.'),
    row('X-RateLimit-Remaining', 'Remaining requests in the window.'),
    row('X-RateLimit-Reset', 'End of the window as Unix time in seconds.'),
    row('RateLimit, RateLimit-Policy', 'The same values in the format of the IETF draft.'),
    row('Retry-After', 'With a 429: seconds until the window ends.'),
  ],
)}
<p>${prose('The body of a 429 is `{ "error", "retryAfter", "docs" }`. After a 429 or a 5xx, wait for the seconds in `Retry-After`; without the header, wait 1 s, then 2 s, then 4 s. Stop after three retries.')}</p>`;
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
    row('Time per provider', '2 minutes'),
    row('Echoed prompt', `the first ${LIMITS.echoedPromptCharacters} characters`),
  ],
)}`;
}

export function errors(): Html {
  const rows = Object.values(ERRORS).map(({ status, when }) => row(String(status), when));
  return html`<h2 id="errors">Errors</h2>
<p>${prose('Every error is JSON with a human-readable `error`. `X-Request-Id` identifies the request in the logs of the service.')}</p>
${table(['Status', 'When'], rows)}`;
}
