import { html } from './html.ts';
import { baseLine, layout } from './layout.ts';

/** Returns the page at the base URL. */
export function startPage(): string {
  return layout({
    title: 'prompt-to-project',
    description: 'A prompt becomes a project, files become a public page.',
    heading: html`A prompt becomes a project.<br>Files become a page.`,
    lead: html`An HTTP API that generates projects from prompts and publishes files.`,
    main: html`<h2>Try it</h2>
<p>Generate a project and publish it:</p>
<pre><code>${baseLine}

curl -s "$BASE/api/v1/generate" \\
  -H 'Content-Type: application/json' \\
  -d '{"prompt": "a pomodoro timer with a dark theme"}' \\
  -o project.json

curl -s "$BASE/api/v1/deploy" \\
  -H 'Content-Type: application/json' \\
  -d @project.json
</code></pre>
<p>Open the <code>url</code> in the second response.</p>
<p><a href="/docs">The API reference</a> describes every operation, limit and error.</p>`,
  });
}
