import { html } from './html.ts';
import { baseLine, layout } from './layout.ts';
import { operationLinks, operationSections } from './operations.ts';
import { authentication, deployments, errors, generations, limits, rateLimits } from './sections.ts';

/** The API reference, made from the contract: what the handlers check is what it says. */
export function referencePage(): string {
  return layout({
    title: 'API reference · prompt-to-project',
    description: 'Every operation, limit and error of the prompt-to-project API.',
    heading: html`API reference`,
    lead: html`JSON over HTTP under <code>/api/v1</code>. Public beta; no key is required, a key has higher limits.`,
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
<p>Bodies are JSON objects sent with <code>Content-Type: application/json</code>, plain or with
<code>Content-Encoding: gzip</code>. Unknown fields are ignored, so an answer of generate can be sent to deploy as it is; so are unknown query parameters.</p>
<p>Beside the answers that are listed, every operation may refuse a credential (400, 401) or a caller that is over its
limit (429), and may fail (500, 503): see <a href="#errors">Errors</a>.</p>
<p>In the examples, <code>$BASE</code> is where the service is, <code>$KEY</code> an API key with the scope
<code>assets:write</code>, and <code>$PROJECT</code> a name that only you know. <code>…</code> stands for what is left out; so are the headers that most answers have.</p>
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
