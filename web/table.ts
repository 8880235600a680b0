import { type Html, html, prose } from './html.ts';

/** Returns a table that scrolls horizontally on narrow pages. */
export function table(heads: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="scroll"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Returns a row with a name and its meaning. */
export function row(name: string, meaning: string): Html {
  return html`<tr><td><code>${name}</code></td><td>${prose(meaning)}</td></tr>`;
}
