import type { LookKind } from '../../../lambda/contract/looks.ts';

/** A site as models write it: texts by path, with `index.html` as its entry. */
export interface SoundProject {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}

/** What a look must find, and where. */
export interface Fault {
  /** More than one if a browser notices the same fault in two ways. */
  readonly kinds: readonly LookKind[];
  /** Matches the sentence. */
  readonly message: RegExp;
  /** File and text of the line, if a browser knows them. */
  readonly path?: string;
  readonly line?: string;
  /** The project must not be published. */
  readonly blocking?: true;
}

/** A project with exactly one fault. */
export interface BrokenProject extends SoundProject {
  readonly fault: Fault;
}

/** Returns a complete HTML document. */
export function page(title: string, body: string, head = ''): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <meta name="viewport" content="width=device-width, initial-scale=1.0">
  <title>${title}</title>
  <link rel="icon" href="data:,">
  ${head.trim()}
</head>
<body>
${body.trim()}
</body>
</html>
`;
}

type Files = SoundProject['files'];

/** Returns a project without a fault. @param files beside its page */
export function site(name: string, title: string, body: string, head = '', files: Files = {}): SoundProject {
  return { name, files: { 'index.html': page(title, body, head), ...files } };
}

/** Returns a project with a fault. */
export function broken(
  name: string,
  fault: Fault,
  title: string,
  body: string,
  head = '',
  files: Files = {},
): BrokenProject {
  return { ...site(name, title, body, head, files), fault };
}

/** Returns the number, from 1, of the line of a file that contains a text. */
export function lineOf(content: string, text: string): number {
  const at = content.indexOf(text);
  if (at < 0) throw new Error(`No line contains ${text}`);
  return content.slice(0, at).split('\n').length;
}
