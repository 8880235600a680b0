import { readContent, sectionsOf } from './content.ts';
import { markdownPage } from './markdown.ts';

/** Returns an introduction for programs, as Markdown. */
export function startMarkdown(): string {
  return markdownPage('prompt-to-project', [{ title: '', sections: sectionsOf(readContent('start.md')) }]);
}
