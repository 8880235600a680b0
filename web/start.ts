import { html } from './html.ts';
import { baseLine, layout } from './layout.ts';

/** The page at the base URL. */
export function startPage(): string {
  return layout({
    title: 'prompt-to-project',
    description: 'A prompt becomes a project, files become a public page.',
    heading: html`A prompt becomes a project.<br>Files become a page.`,
    lead: html`This is a running prompt-to-project service: an HTTP API with two calls that fit together.`,
    main: html`<h2>Try it</h2>
<p>Have a project written, and put it online as it is:</p>
<pre><code>${baseLine}

curl -s "$BASE/api/v1/generate" \\
  -H 'Content-Type: application/json' \\
  -d '{"prompt": "a pomodoro timer with a dark theme"}' \\
  -o project.json

curl -s "$BASE/api/v1/deploy" \\
  -H 'Content-Type: application/json' \\
  -d @project.json
</code></pre>
<p>The second answer has a <code>url</code>: open it.</p>
<p><a href="/docs">The API reference</a> has every operation, limit and error.</p>`,
  });
}
