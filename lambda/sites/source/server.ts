import { posix } from 'node:path';

/** Modules and languages of programs that answer requests, which browsers do not run. */
const SERVER_MODULE =
  /^(?:node:)?(?:https?|http2|net)$|^(?:express|fastify|koa|hono|polka|restify|connect|sirv|ws|socket\.io|serve-handler|@(?:hapi|hono|nestjs|koa|fastify)\/.+)$/;
const SERVER_LANGUAGE = /\.(?:py|rb|php|go|rs|java|kt|cs|exs?|pl|scala|clj|hs|swift)$/i;

const SCRIPT = /\.[cm]?[jt]s$/i;
const SPECIFIER = /\b(?:from|import|require)\s{0,99}(?:\(\s{0,99})?["']([^"'\n]{1,200})["']/g;

/** Reports if a module is one of those with which programs answer requests. */
export function isServerModule(specifier: string): boolean {
  return SERVER_MODULE.test(specifier);
}

/** Reports if a file is written in a language that no browser runs. */
export function isServerLanguage(path: string): boolean {
  return SERVER_LANGUAGE.test(path);
}

/**
 * Returns a function that reports if a program of the project may answer a path: its text has the beginning of it, such
 * as `/api` for `api/messages`. The program is each script that imports a module for it, with the modules that it
 * imports, and each file in a language for servers.
 * @param files texts by path
 */
export function serverOf(files: ReadonlyMap<string, string>): (path: string) => boolean {
  const texts: string[] = [];
  for (const path of programPaths(files)) texts.push((files.get(path) ?? '').replaceAll('\\/', '/'));
  return (path) => {
    const [first = ''] = path.replace(/^\/+/, '').split('/');
    // Files are no answers of a program, which may serve them.
    if (first === '' || (first !== 'api' && /\.\w+$/.test(path))) return false;
    const begins = new RegExp(`/${first.replace(/[^\w-]/g, '\\$&')}(?![\\w-])`);
    return texts.some((text) => begins.test(text));
  };
}

function programPaths(files: ReadonlyMap<string, string>): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const [path, text] of files) {
    const isProgram = SCRIPT.test(path) && specifiersIn(text).some(isServerModule);
    if (isProgram || isServerLanguage(path)) paths.add(path);
  }
  // The loop over this set includes the paths that are added during the loop.
  for (const path of paths) {
    for (const specifier of specifiersIn(files.get(path) ?? '')) {
      if (!specifier.startsWith('.')) continue;
      const target = posix.join(posix.dirname(path), specifier);
      const found = ['', '.js', '.ts', '/index.js'].map((end) => target + end);
      const module = found.find((name) => SCRIPT.test(name) && files.has(name));
      if (module !== undefined) paths.add(module);
    }
  }
  return paths;
}

function specifiersIn(text: string): string[] {
  return Array.from(text.matchAll(SPECIFIER), ([, specifier = '']) => specifier);
}
