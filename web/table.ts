import { type Html, html, prose } from './html.ts';

/** A table that scrolls by itself when the page is narrow. */
export function table(heads: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="scroll"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** A row of a name and what it means. */
export function row(name: string, meaning: string): Html {
  return html`<tr><td><code>${name}</code></td><td>${prose(meaning)}</td></tr>`;
}
