import type { Project } from '../../projects/whole-project.ts';
import { type Problem, problemsOf } from '../problems.ts';

/** Returns the problems of a project that its base does not have: what a change did not touch is the caller's own. */
export function newProblems(project: Project, base: Project): Problem[] {
  const known = new Set(problemsIn(base).map(withoutNumbers));
  return problemsIn(project).filter((problem) => !known.has(withoutNumbers(problem)));
}

function problemsIn(project: Project): Problem[] {
  const files = Array.from(project, ([path, content]) => ({
    path,
    content: typeof content === 'string' ? content : '',
  }));
  return problemsOf(files);
}

/** A change above a line moves it. */
function withoutNumbers({ path, message }: Problem): string {
  return `${path}: ${message.replace(/\d+/g, '#')}`;
}
