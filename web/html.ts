import { escapeHtml } from '../lambda/platform/html.ts';

/** Markup, as opposed to text that must be escaped. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type { Html };

type Value = string | number | Html | readonly Html[];

/** Template tag for HTML; escapes interpolated text. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(render)));
}

/** Converts text to HTML, with `backticks` to `<code>`. */
export function prose(text: string): Html {
  const parts = text.split(/`([^`]*)`/);
  return new Html(
    parts.map((part, i) => (i % 2 ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part))).join(''),
  );
}

/** Marks HTML, CSS or a script as not to be escaped. */
export function raw(text: string): Html {
  return new Html(text);
}

function render(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(render).join('');
}
