import { posix } from 'node:path';
import { lookup } from 'mrmime';
import type { PluginContext } from 'rolldown';
import type { BuildContext, Language } from '../context.ts';
import { nameHash, PACKAGE_PREFIX, splitQuery, textOf } from '../files.ts';
import { BASE_CODE, BASE_IMPORT, BASE_MODULE, ENV_MODULE, envCode } from './env.ts';
import { isPublicUrl } from './public-urls.ts';
import { ROUTER_MODULE, routerCode } from './routers.ts';

/** Smaller files are part of the script, as a `data:` URL. */
const INLINE_LIMIT = 4_096;

const FILES =
  /\.(?:apng|bmp|png|jpe?g|jfif|pjpeg|pjp|gif|svg|ico|webp|avif|cur|jxl|mp4|webm|ogg|mp3|wav|flac|aac|opus|mov|m4a|vtt|woff2?|eot|ttf|otf|webmanifest|pdf|txt|glb|gltf|hdr|exr|bin)$/i;
/** Style sheets that only tools can read, which are not run. */
const PREPROCESSED = /\.(?:s[ac]ss|less|styl)$/i;
const QUERIES = ['url', 'raw', 'inline', 'no-inline', 'worker', 'sharedworker', 'init'];

/** How the bundle that a module is in publishes files. */
interface Publisher {
  /** Returns the expression of the URL under which the file is published. */
  readonly url: () => string;
  /** Bundles the module as the script of a worker, and returns the expression of its URL. */
  readonly worker: () => string;
}

/** Images, fonts and other files, and everything with `?url`, `?raw`, `?inline`, `?worker` and `?init`, as in Vite. */
export function assets(context: BuildContext): Language {
  return {
    resolve(specifier) {
      if (!specifier.startsWith('/')) return undefined;
      const { path, query } = splitQuery(specifier);
      if (context.project.has(path.slice(1)) || !isPublicUrl(path, context.project)) return undefined;
      const isUrl = query === '' ? FILES.test(path) : new URLSearchParams(query).has('url');
      return isUrl ? PUBLIC_MODULE + path.slice(1) : undefined;
    },
    load(id, bundler) {
      const { path, query } = splitQuery(id);
      const isPackage = path.startsWith(PACKAGE_PREFIX);
      const content = context.project.get(path);
      if (content === undefined && !isPackage) return undefined;
      if (content && isImportedSheet(path, query))
        return {
          code: sheetModule(path, textOf(context.project, path) ?? '', query, context),
          moduleType: 'js',
          moduleSideEffects: false,
        };
      const specifier = isPackage ? path.slice(PACKAGE_PREFIX.length) : `/${path}`;
      const name = posix.parse(path).name;
      const code = assetCode(path, query, content ?? new Uint8Array(), {
        url: () => `new URL(${JSON.stringify(context.asset(path))}, import.meta.url).href`,
        worker: () => chunkUrl(bundler, WORKER_MODULE + specifier, name),
      });
      return code === undefined ? undefined : { code, moduleType: 'js', moduleSideEffects: false };
    },
  };
}

/** Adds a script to the bundle, and returns the expression of its URL. */
export function chunkUrl(bundler: Pick<PluginContext, 'emitFile'>, id: string, name: string): string {
  return `import.meta.ROLLUP_FILE_URL_${bundler.emitFile({ type: 'chunk', id, name })}`;
}

/** Reports if a file is imported for its URL or its text, not as a module. */
export function isAsset(path: string, query: string): boolean {
  const parameters = new URLSearchParams(query);
  if (PREPROCESSED.test(path)) return parameters.has('raw');
  // What else a query asks for is a plugin's.
  return FILES.test(path) || QUERIES.some((name) => parameters.has(name));
}

/** Reports if a style sheet is built for a script, not for the page. */
function isImportedSheet(path: string, query: string): boolean {
  const parameters = new URLSearchParams(query);
  return /\.css$/i.test(path) && !parameters.has('raw') && (parameters.has('inline') || parameters.has('url'));
}

/** Reports if a query asks for a worker. */
export const isWorkerQuery = (query: string): boolean => /[?&](?:shared)?worker\b/.test(query);

/** Begins the URLs of a style sheet that a script has as a text: it may be used anywhere in a page. */
export const SITE = 'site-base:/';
/** Returns the code of the module that a style sheet is with `?inline` or `?url`. `importedSheets` replaces its mark. */
function sheetModule(path: string, css: string, query: string, { sheets }: BuildContext): string {
  const use = new URLSearchParams(query).has('inline') ? 'text' : 'url';
  const mark = `sheet-${use}-${nameHash(path)}`;
  sheets.set(mark, { path, css });
  if (use === 'url') return `export default new URL("${mark}", import.meta.url).href;`;
  return `${BASE_IMPORT};\nexport default "${mark}".replaceAll("${SITE}", __base);`;
}

/** Returns the code of the module that a file is with a query; undefined if it is a module by its own content. */
export function assetCode(
  path: string,
  query: string,
  content: Uint8Array,
  { url, worker }: Publisher,
): string | undefined {
  if (!isAsset(path, query)) return undefined;
  const parameters = new URLSearchParams(query);
  if (isWorkerQuery(query)) return workerCode(worker(), parameters);
  const text = new TextDecoder().decode(content);
  if (parameters.has('raw') || (parameters.has('inline') && /\.css$/i.test(path)))
    return `export default ${JSON.stringify(text)};`;
  const inlined = isInlined(path, content, parameters) ? JSON.stringify(dataUrl(path, content)) : url();
  return parameters.has('init') ? wasmCode(inlined) : `export default ${inlined};`;
}

function workerCode(url: string, parameters: URLSearchParams): string {
  if (parameters.has('url')) return `export default ${url};`;
  const type = parameters.has('sharedworker') ? 'SharedWorker' : 'Worker';
  return `export default function (options) {
  return new ${type}(${url}, { type: 'module', name: options?.name });
}`;
}

/** Instantiates WebAssembly. */
const wasmCode = (url: string) => `export default async (imports = {}) => {
  const response = await fetch(${url});
  const bytes = await response.arrayBuffer();
  return (await WebAssembly.instantiate(bytes, imports)).instance;
};`;

function isInlined(path: string, content: Uint8Array, parameters: URLSearchParams): boolean {
  if (parameters.has('no-inline') || /\.css$/i.test(path)) return false;
  if (parameters.has('inline')) return true;
  return content.length < INLINE_LIMIT && !/\.html?$/i.test(path);
}

/** A file as a `data:` URL; SVG as text, which compresses better, unless its quotes do not allow it. */
function dataUrl(path: string, content: Uint8Array): string {
  const bytes = Buffer.from(content);
  const text = /\.svg$/i.test(path) ? bytes.toString() : undefined;
  if (text === undefined || /<text|<foreignObject|'/.test(text)) {
    return `data:${lookup(path) ?? 'application/octet-stream'};base64,${bytes.toString('base64')}`;
  }
  const oneLine = text.trim().replaceAll(/\s+/g, ' ').replaceAll('> <', '><');
  const escaped = oneLine
    .replaceAll('"', "'")
    .replaceAll(/[%#<>]/g, (character) => encodeURIComponent(character).toLowerCase());
  return `data:image/svg+xml,${escaped.replaceAll(' ', '%20')}`;
}

/** Modules that export the URL of a file of `public/`: `\0public/logo.png`. */
const PUBLIC_MODULE = '\0public/';

/** Modules that import the script of a worker: `\0worker//src/work.ts`. */
const WORKER_MODULE = '\0worker/';

/** The modules that others import, and which are in no file. */
export function virtualModules(context: BuildContext): Language {
  return {
    resolve: (specifier) => (codeOf(specifier, context) === undefined ? undefined : specifier),
    load(id) {
      const code = codeOf(id, context);
      return code === undefined
        ? undefined
        : { code, moduleType: 'js', moduleSideEffects: id.startsWith(WORKER_MODULE) };
    },
  };
}

function codeOf(id: string, context: BuildContext): string | undefined {
  if (!id.startsWith('\0')) return undefined;
  if (id === BASE_MODULE) return BASE_CODE;
  if (id === ENV_MODULE) return envCode(context);
  if (id.startsWith(WORKER_MODULE)) return `import ${JSON.stringify(id.slice(WORKER_MODULE.length))};`;
  if (id.startsWith(ROUTER_MODULE)) return routerCode(id, context);
  if (!id.startsWith(PUBLIC_MODULE)) return undefined;
  return `${BASE_IMPORT};\nexport default __base + ${JSON.stringify(id.slice(PUBLIC_MODULE.length))};`;
}
