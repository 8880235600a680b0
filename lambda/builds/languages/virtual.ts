import type { BuildContext } from '../context.ts';
import { BASE_CODE, BASE_IMPORT, BASE_MODULE } from './base.ts';
import { ENV_MODULE, envCode } from './env.ts';
import type { Language } from './language.ts';
import { ROUTER_MODULE, routerCode } from './routers.ts';

/** Modules that export the URL of a file of `public/`: `\0public/logo.png`. */
export const PUBLIC_MODULE = '\0public/';

/** The module that instantiates WebAssembly. */
export const WASM_MODULE = '\0wasm';

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
