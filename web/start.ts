import { html } from './html.ts';
import { layout } from './layout.ts';

/** The page at the base URL. */
export function startPage(): string {
  return layout(
    'prompt-to-project',
    'A prompt becomes a project, files become a public page.',
    html`<h1>A prompt becomes a project.<br>Files become a page.</h1>
<p class="lead">This is a running prompt-to-project service: an HTTP API with two calls that fit together.</p>
<h2>Try it</h2>
<p>Have a project written, and put it online as it is:</p>
<pre><code>BASE=…  # the address of this page, without a slash at the end

curl -s "$BASE/api/v1/generate" \\
  -H 'Content-Type: application/json' \\
  -d '{"prompt": "a pomodoro timer with a dark theme"}' > project.json

curl -s "$BASE/api/v1/deploy" \\
  -H 'Content-Type: application/json' \\
  -d @project.json</code></pre>
<p>The second answer has a <code>url</code>: open it.</p>
<p><a href="/docs">The API reference</a> has every operation, limit and error.</p>`,
  );
}
