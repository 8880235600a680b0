import { html } from './html.ts';
import { baseLine, layout } from './layout.ts';
import { operationLinks, operationSections } from './operations.ts';
import { authentication, deployments, errors, generations, limits, rateLimits } from './sections.ts';

/** Returns the API reference, generated from the schemas that the handlers validate with. */
export function referencePage(): string {
  return layout({
    title: 'API reference · prompt-to-project',
    description: 'Every operation, limit and error of the prompt-to-project API.',
    heading: html`API reference`,
    lead: html`JSON over HTTP under <code>/api/v1</code>. Public beta: no API key is required, but a key has higher rate limits.`,
    nav: html`<ul>
<li><a href="/">Start page</a></li>
<li><a href="#operations">Operations</a>${operationLinks()}</li>
<li><a href="#generations">Generations</a></li>
<li><a href="#deployments">Deployments</a></li>
<li><a href="#authentication">Authentication</a></li>
<li><a href="#rate-limits">Rate limits</a></li>
<li><a href="#limits">Limits</a></li>
<li><a href="#errors">Errors</a></li>
</ul>`,
    main: html`<h2 id="operations">Operations</h2>
<p>Request and response bodies are JSON objects. Send <code>Content-Type: application/json</code>, optionally with
<code>Content-Encoding: gzip</code>. Unknown fields and query parameters are ignored, so the response of generate can be sent to deploy unchanged.</p>
<p>In addition to the listed responses, every operation can reject an invalid credential (400, 401) or a caller over its
rate limit (429), and can fail (500, 503): see <a href="#errors">Errors</a>.</p>
<p>In the examples, <code>$BASE</code> is the base URL of the service, <code>$KEY</code> an API key with the scope <code>assets:write</code>,
<code>$PROJECT</code> a random project id, and <code>$TOKEN</code> the <code>X-Deployment-Token</code> from the response of deploy. <code>…</code> marks omissions; common headers are omitted as well.</p>
<pre><code>${baseLine}
PROJECT=$(uuidgen)</code></pre>
${operationSections()}
${generations()}
${deployments()}
${authentication()}
${rateLimits()}
${limits()}
${errors()}`,
  });
}
