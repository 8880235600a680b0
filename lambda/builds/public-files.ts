import type { Files } from './files.ts';

const PUBLIC = 'public/';
/** Files with rules for serving (`lambda/sites/rules`), which are also read beside the page. */
const RULES = ['_redirects', '_headers'];
/** Packages that show a page for each path; a path that is no file then needs the start page. */
const ROUTERS = [
  'react-router',
  'react-router-dom',
  'wouter',
  'vue-router',
  '@tanstack/react-router',
  '@solidjs/router',
];

/** Returns the files that are published as they are. */
export function publicFiles(project: Files): [path: string, content: Uint8Array][] {
  return [...project].flatMap(([path, content]): [string, Uint8Array][] => {
    if (path.startsWith(PUBLIC)) return [[path.slice(PUBLIC.length), content]];
    return RULES.includes(path) && !project.has(PUBLIC + path) ? [[path, content]] : [];
  });
}

/** Makes deep links of a client router work, unless the project has rules of its own. */
export function addRedirects(files: Map<string, Uint8Array>, packages: ReadonlySet<string>): void {
  if (files.has('_redirects') || !files.has('index.html')) return;
  if (ROUTERS.some((name) => packages.has(name)))
    files.set('_redirects', Buffer.from('/* /index.html 200\n'));
}
