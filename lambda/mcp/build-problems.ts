import type { BuildProblem } from '../../client/client.ts';

/** Returns the problems of a build as an agent can act on them: a line for each, with the line of the source below. */
export function problemText(problems: readonly BuildProblem[]): string {
  const lines = problems.map(({ path, line, column, message, excerpt }) => {
    const place = [path, line, column].filter((part) => part !== undefined).join(':');
    const source = excerpt === undefined ? '' : `\n    ${excerpt.trim()}`;
    return `${place === '' ? '' : `${place}: `}${message}${source}`;
  });
  const count = problems.length === 1 ? 'This problem' : `These ${problems.length} problems`;
  return [`The build failed, and nothing changed. ${count} must be mended first:`, ...lines].join('\n');
}
