import type { ProjectTree } from './project-tree.ts';
import type { Sources } from './sources.ts';

/** What runs a project decides what its references mean. */
export interface ProjectKind {
  /** A bundler puts packages and modules without endings into what a browser loads. */
  readonly bundled: boolean;
  /** A build writes files that are not there yet. */
  readonly built: boolean;
  /** A program answers addresses that are no files. */
  readonly served: boolean;
  /** The pages show other addresses without loading them. */
  readonly routed: boolean;
  /** What the import maps of its pages name. */
  readonly importMap: readonly string[];
  /** The scripts that a page loads, itself or through others. */
  readonly inBrowser: ReadonlySet<string>;
}

const BUNDLER =
  /"(?:vite|webpack|parcel|esbuild|rollup|rolldown|browserify|next|nuxt|astro|gatsby|react-scripts|@angular\/cli|@sveltejs\/kit|@vue\/cli-service|@parcel\/\w+|@rspack\/core|snowpack|bun)"\s*:/;
const SERVER_MODULE =
  /^(?:node:)?(?:https?|http2|net)$|^(?:express|fastify|koa|hono|polka|restify|connect|sirv|ws|socket\.io|serve-handler|@(?:hapi|hono|nestjs|koa|fastify)\/.+)$/;
const SERVER_LANGUAGE = /\.(?:py|rb|php|go|rs|java|kt|cs|exs?|pl|scala|clj|hs|swift)$/i;

export function kindOf({ all, pages, scripts }: Sources, tree: ProjectTree): ProjectKind {
  const manifests = all.filter(({ path }) => /(?:^|\/)package\.json$/.test(path));
  const imports = scripts.flatMap(({ parts }) => parts.references);
  return {
    bundled: manifests.some(({ content }) => BUNDLER.test(content)),
    built: manifests.some(({ content }) => /"build"\s*:/.test(content)),
    served:
      all.some(({ path }) => SERVER_LANGUAGE.test(path)) ||
      imports.some(({ specifier, use }) => use !== 'url' && SERVER_MODULE.test(specifier)),
    routed: [...pages, ...scripts].some(({ parts }) => parts.routes),
    importMap: pages.flatMap(({ parts }) => parts.importMap ?? []),
    inBrowser: loadedByPages({ pages, scripts }, tree),
  };
}

function loadedByPages({ pages, scripts }: Pick<Sources, 'pages' | 'scripts'>, tree: ProjectTree) {
  const byPath = new Map(scripts.map((script) => [script.path, script]));
  const loaded = new Set<string>();
  // A set may grow while it is walked: the walk takes what is added.
  const load = (from: string, specifier: string, base?: string) => {
    const target = tree.target(from, specifier, base);
    const path = target && tree.exact(target);
    if (path !== undefined && byPath.has(path)) loaded.add(path);
  };
  for (const { path, parts } of pages) {
    for (const { specifier, use } of parts.references) if (use !== 'page') load(path, specifier, parts.base);
  }
  for (const path of loaded) {
    for (const { specifier } of byPath.get(path)?.parts.references ?? []) load(path, specifier);
  }
  return loaded;
}
