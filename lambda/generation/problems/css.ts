import { readCss } from '../../sites/references/css.ts';
import type { Comment, Parts, Reference } from './parts.ts';

/** Returns the references and comments of a style sheet. */
export function cssParts(css: string): Parts {
  const { urls, comments } = readCss(css);
  const references = urls.map(
    ({ start, end }): Reference => ({
      specifier: css.slice(start, end).trim().replace(/\\(.)/g, '$1'),
      use: 'resource',
    }),
  );
  return {
    references,
    comments: comments.map(({ start, end }): Comment => ({ text: css.slice(start, end), index: start })),
  };
}
