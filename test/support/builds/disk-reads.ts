import fs from 'node:fs';
import { diskProjects } from './disk-projects.ts';

/**
 * Prints which files of the disk are touched by builds that try to. A process of its own: compilers keep the functions of
 * `fs` that they find when they are loaded.
 */
const touched: string[] = [];
const { projects, isShown, remove } = diskProjects();
for (const name of ['readFileSync', 'existsSync', 'statSync', 'openSync', 'readFile', 'realpathSync'] as const) {
  const original = fs[name];
  const spy = (path: unknown, ...rest: unknown[]) => {
    if (String(path).includes('canary')) touched.push(`${name} ${path}`);
    return (original as (...args: unknown[]) => unknown).call(fs, path, ...rest);
  };
  Object.assign(fs, { [name]: Object.assign(spy, original) });
}
const { bundle } = await import('./bundle.ts');
let shown = 0;
for (const project of projects) {
  const result = await bundle(project, { preview: true }).catch(({ problems }) => problems);
  if (isShown(result)) shown++;
}
console.log(JSON.stringify({ projects: projects.length, shown, touched }));
remove();
