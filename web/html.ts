import { escapeHtml } from '../lambda/platform/html.ts';
import type { Text } from './reference/content.ts';

/** Markup, as opposed to text that must be escaped. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type { Html };

type Value = string | number | Html | undefined | readonly Html[];

/** Template tag for HTML; escapes interpolated text. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(render)));
}

/** Marks HTML, CSS or a script as not to be escaped. */
export function raw(text: string): Html {
  return new Html(text);
}

/** Converts text to HTML. */
export function prose(text: Text): Html {
  const code = escapeHtml(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>');
  return raw(code.replaceAll(/\[([^[\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>'));
}

function render(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  return typeof value === 'object' ? value.map(render).join('') : escapeHtml(String(value));
}
