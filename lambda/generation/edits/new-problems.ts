import type { ProjectContents } from '../../stored/projects/project-contents.ts';
import { type Problem, problemsOf } from '../problems.ts';

/** Returns the problems of a project that its base does not have: what a change did not touch is the caller's own. */
export function newProblems(project: ProjectContents, base: ProjectContents): Problem[] {
  const known = new Set(problemsIn(base).map(identityOf));
  return problemsIn(project).filter((problem) => !known.has(identityOf(problem)));
}

function problemsIn(project: ProjectContents): Problem[] {
  const files = Array.from(project, ([path, content]) => ({
    path,
    content: typeof content === 'string' ? content : '',
  }));
  return problemsOf(files);
}

/** Omits what other changes affect: a change above a line moves it, and a module may export other names. */
function identityOf({ path, message }: Problem): string {
  return `${path}: ${message.replace(/: it exports .*$/, '').replace(/\d+/g, '#')}`;
}
