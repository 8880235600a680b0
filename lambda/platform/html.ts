/** Escapes text for HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export const HTML = 'text/html; charset=utf-8';

const STYLE = `:root{color-scheme:light dark}
body{font:1rem/1.6 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.5rem;overflow-wrap:anywhere}
h1{font-size:1.5rem}small{opacity:.7}
[role=alert]{font-weight:700}label{display:block;margin:1rem 0 .25rem}input,select,textarea,button{font:inherit;box-sizing:border-box}
input,select,textarea{width:100%;padding:.5rem}button{margin-top:1rem;padding:.5rem 1rem}
input[type=radio]{width:auto}fieldset{border:0;margin:1rem 0 0;padding:0}legend{padding:0}fieldset label{margin:.4rem 0}
label+small{display:block}`;

/** Returns a page of the service in place of another one: one file without a script. @param body HTML of its main part */
export function plainPage(title: string, body: string, lang = 'en'): string {
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body><main>${body}</main></body></html>`;
}
