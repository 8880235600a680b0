import { isHtml } from '../../sites/paths.ts';
import type { WrittenFile } from '../../stored/projects/stored-project.ts';
import { cssParts, type PageParts, readHtml } from './html.ts';
import { readScript, type ScriptParts } from './javascript.ts';
import type { Source } from './parts.ts';
import { readLineComments } from './placeholders.ts';

/** The parsed files of a project: all of them, and those of each kind. */
export interface Sources {
  readonly all: readonly Source[];
  readonly pages: readonly Source<PageParts>[];
  readonly scripts: readonly Source<ScriptParts>[];
}

/** Parses each file by its language, in the order of the files. */
export function readSources(files: readonly WrittenFile[]): Sources {
  const all: Source[] = [];
  const pages: Source<PageParts>[] = [];
  const scripts: Source<ScriptParts>[] = [];
  for (const { path, content } of files) {
    if (isHtml(path)) {
      const page = { path, content, parts: readHtml(content) };
      pages.push(page);
      all.push(page);
    } else if (/\.(?:[cm]?[jt]s|[jt]sx)$/i.test(path)) {
      const script = { path, content, parts: readScript(content) };
      scripts.push(script);
      all.push(script);
    } else {
      const css = /\.css$/i.test(path);
      const parts = css ? cssParts(content) : { references: [], comments: readLineComments(path, content) };
      all.push({ path, content, parts });
    }
  }
  return { all, pages, scripts };
}
