import { posix } from 'node:path';
import { lookup } from 'mrmime';
import type { BuildContext, Language } from '../context.ts';
import { splitQuery, textOf } from '../files.ts';
import { errorAtOffset } from '../problems.ts';
import { BASE_CODE, BASE_IMPORT, BASE_MODULE, ENV_MODULE, envCode } from './env.ts';
import { isPublicUrl } from './public-urls.ts';
import { ROUTER_MODULE, routerCode } from './routers.ts';

/** Smaller files are part of the script, as a `data:` URL. */
const INLINE_LIMIT = 4_096;

const FILES =
  /\.(?:apng|bmp|png|jpe?g|jfif|pjpeg|pjp|gif|svg|ico|webp|avif|cur|jxl|mp4|webm|ogg|mp3|wav|flac|aac|opus|mov|m4a|vtt|woff2?|eot|ttf|otf|webmanifest|pdf|txt|wasm|glb|gltf|hdr|exr|bin)$/i;
const QUERIES = ['url', 'raw', 'inline', 'no-inline', 'worker', 'sharedworker', 'init'];

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
      const parameters = new URLSearchParams(query);
      const content = context.project.get(path);
      const isAsset = query === '' ? FILES.test(path) : QUERIES.some((name) => parameters.has(name));
      if (!isAsset || content === undefined) return undefined;
      if (parameters.has('worker') || parameters.has('sharedworker')) {
        const chunk = bundler.emitFile({ type: 'chunk', id: `/${path}`, name: posix.parse(path).name });
        return { code: workerCode(`import.meta.ROLLUP_FILE_URL_${chunk}`, parameters), moduleType: 'js' };
      }
      const text = textOf(context.project, path) ?? '';
      if (!parameters.has('raw') && /\.css$/i.test(path)) checkPlainCss(path, text);
      const isText = parameters.has('raw') || (parameters.has('inline') && /\.css$/i.test(path));
      const code = isText
        ? `export default ${JSON.stringify(text)};`
        : urlCode(path, content, parameters, context);
      return { code, moduleType: 'js', moduleSideEffects: false };
    },
  };
}

function workerCode(url: string, parameters: URLSearchParams): string {
  if (parameters.has('url')) return `export default ${url};`;
  const type = parameters.has('sharedworker') ? 'SharedWorker' : 'Worker';
  return `export default function (options) {
  return new ${type}(${url}, { type: 'module', name: options?.name });
}`;
}

function urlCode(
  path: string,
  content: Uint8Array,
  parameters: URLSearchParams,
  context: BuildContext,
): string {
  const url = isInlined(path, content, parameters)
    ? JSON.stringify(dataUrl(path, content))
    : `new URL(${JSON.stringify(context.asset(path))}, import.meta.url).href`;
  if (!parameters.has('init')) return `export default ${url};`;
  return `import init from ${JSON.stringify(WASM_MODULE)};\nexport default (imports = {}) => init(imports, ${url});`;
}

/**
 * Style sheets of the page are built later. Those with `?inline` and `?url` are not: they must be as browsers read
 * them.
 */
function checkPlainCss(path: string, text: string): void {
  const [, statement] =
    /(@(?:import|tailwind|apply|theme|plugin)\b|\burl\(\s{0,9}["']?(?![\w+.-]+:|["'#/]))/.exec(text) ?? [];
  if (statement === undefined) return;
  const message = `A style sheet with ?inline or ?url cannot have ${statement}${statement.startsWith('@') ? '' : ') of files'}`;
  throw errorAtOffset(path, text, text.indexOf(statement), message);
}

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

/** The module that instantiates WebAssembly. */
const WASM_MODULE = '\0wasm';

const WASM_CODE = `export default async (imports, url) => {
  const response = await fetch(url);
  const bytes = await response.arrayBuffer();
  return (await WebAssembly.instantiate(bytes, imports)).instance;
};`;

/** The modules that others import, and which are in no file. */
export function virtualModules(context: BuildContext): Language {
  return {
    resolve: (specifier) => (codeOf(specifier, context) === undefined ? undefined : specifier),
    load(id) {
      const code = codeOf(id, context);
      return code === undefined ? undefined : { code, moduleType: 'js', moduleSideEffects: false };
    },
  };
}

function codeOf(id: string, context: BuildContext): string | undefined {
  if (!id.startsWith('\0')) return undefined;
  if (id === BASE_MODULE) return BASE_CODE;
  if (id === ENV_MODULE) return envCode(context);
  if (id === WASM_MODULE) return WASM_CODE;
  if (id.startsWith(ROUTER_MODULE)) return routerCode(id);
  if (!id.startsWith(PUBLIC_MODULE)) return undefined;
  return `${BASE_IMPORT};\nexport default __base + ${JSON.stringify(id.slice(PUBLIC_MODULE.length))};`;
}
