import type { Resources } from './resources.ts';

/** The page that a preview shows. */
export interface Page {
  /** As on an origin of its own. */
  readonly url: string;
  readonly resources: Resources;
  /** Shows another page of the project. */
  readonly open: (url: string) => void;
  /** Is told of the URL that a script went to without loading a page. */
  readonly moved: (url: string) => void;
}
