import { createTwoFilesPatch, OMIT_HEADERS } from 'diff';
import type { FileChange } from '../../contract/responses/generate.ts';
import type { ProjectContents } from '../../stored/projects/project-contents.ts';

/** Time for one diff. Only a file that was rewritten from end to end takes longer. */
const DIFF_MS = 250;
/** Characters of all diffs together: a response of Lambda has at most 6 MB. */
const DIFF_CHARACTERS = 1_000_000;

type File = string | Uint8Array;

/**
 * Returns how two states of a project differ, by path. A deleted file with the content of an added one was renamed.
 * Diffs are in the unified format, as `patch` applies them; a file that is not text has none, nor has one beyond the
 * limits.
 */
export function changesBetween(before: ProjectContents, after: ProjectContents): FileChange[] {
  const added = new Map([...after].filter(([path]) => !before.has(path)));
  const changes: FileChange[] = [];
  let room = DIFF_CHARACTERS;
  const change = (path: string, kind: FileChange['change'], was: File | undefined, is: File | undefined) => {
    const diff =
      typeof (was ?? '') === 'string' && typeof (is ?? '') === 'string' && room > 0
        ? unifiedDiff(path, was as string | undefined, is as string | undefined)
        : undefined;
    room -= diff?.length ?? 0;
    changes.push({ path, change: kind, ...(diff === undefined || room < 0 ? {} : { diff }) });
  };
  for (const [path, was] of before) {
    const is = after.get(path);
    if (is !== undefined) {
      if (!same(was, is)) change(path, 'changed', was, is);
      continue;
    }
    const [renamed] = [...added].find(([, content]) => same(content, was)) ?? [];
    if (renamed === undefined) change(path, 'deleted', was, undefined);
    else {
      added.delete(renamed);
      changes.push({ path: renamed, change: 'renamed', from: path });
    }
  }
  for (const [path, is] of added) change(path, 'added', undefined, is);
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function same(a: File, b: File): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return Buffer.compare(a, b) === 0;
}

function unifiedDiff(path: string, was: string | undefined, is: string | undefined): string | undefined {
  // The format cannot say that an empty file appears or disappears.
  if ((was ?? '') === (is ?? '')) return undefined;
  // As diff writes it: without the tab, patch would end the name at its first space.
  const name = path.includes(' ') ? `${path}\t` : path;
  const [from, to] = [was === undefined ? '/dev/null' : `a/${name}`, is === undefined ? '/dev/null' : `b/${name}`];
  const hunks = createTwoFilesPatch('', '', was ?? '', is ?? '', undefined, undefined, {
    context: 3,
    timeout: DIFF_MS,
    headerOptions: OMIT_HEADERS,
  });
  return hunks && `--- ${from}\n+++ ${to}\n${hunks}`;
}
