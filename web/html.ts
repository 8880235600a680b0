import { escapeHtml } from '../lambda/platform/html.ts';

/** HTML that is safe to stand in HTML. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type { Html };

type Value = string | number | Html | readonly Html[];

/** A piece of HTML; what is put in as text is escaped. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(render)));
}

/** Text in which `backticks` mark code. */
export function prose(text: string): Html {
  const parts = text.split(/`([^`]*)`/);
  return new Html(
    parts.map((part, i) => (i % 2 ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part))).join(''),
  );
}

/** What is HTML already, or the text of a style or a script: it is put in as it is. */
export function raw(text: string): Html {
  return new Html(text);
}

function render(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(render).join('');
}
