import type { OperationName } from '../../../lambda/contract/operations.ts';
import { type Html, html } from '../../html.ts';
import type { Recording } from '../examples/recording.ts';
import { samplesOf } from '../examples.ts';
import { highlight } from '../highlight.ts';
import { BASE, type Language, SAMPLES } from '../languages.ts';

const COPY = html`<button class="copy" type="button" data-script>Copy</button>`;

/** Returns code under a label, with a button that copies it. */
export function codePanel(label: string, code: string, language: Language): Html {
  return html`<figure class="code"><figcaption class="bar"><span>${label}</span>${COPY}</figcaption><pre tabindex="0"><code>${highlight(code, language)}</code></pre></figure>
`;
}

/** Returns the request of an example in a tab for each language. The script and the style sheet know the attributes. */
export function samplesPanel(name: OperationName, example: Recording): Html {
  const codes = samplesOf(name, example, BASE);
  const tabs = SAMPLES.map(({ id, label }, at) => {
    return html`<button role="tab" type="button" id="tab-${name}-${id}" aria-controls="sample-${name}-${id}" aria-selected="${String(at === 0)}" tabindex="${at === 0 ? 0 : -1}" data-language="${id}">${label}</button>`;
  });
  const panels = SAMPLES.map(({ id, language }) => {
    return html`<pre role="tabpanel" id="sample-${name}-${id}" aria-labelledby="tab-${name}-${id}" tabindex="0" data-language="${id}"><code>${highlight(codes[id], language)}</code></pre>`;
  });
  return html`<div class="code"><div class="bar"><div role="tablist" aria-label="Language of the sample">${tabs}</div>${COPY}</div>${panels}</div>
`;
}
