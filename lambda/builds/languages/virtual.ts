import type { Plugin } from 'rolldown';
import type { BuildContext } from '../context.ts';
import { BASE_CODE, BASE_IMPORT, BASE_MODULE } from './base.ts';
import { ENV_MODULE, envCode } from './env.ts';
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

/** Loads the modules that other plugins import, and which are in no file. */
export function virtualModulesPlugin(context: BuildContext): Plugin {
  return {
    name: 'virtual-modules',
    resolveId: {
      filter: { id: /^\0/ },
      handler: (id) => (codeOf(id, context) === undefined ? undefined : { id, moduleSideEffects: false }),
    },
    load: {
      filter: { id: /^\0/ },
      handler(id) {
        const code = codeOf(id, context);
        return code === undefined ? undefined : { code, moduleType: 'js' };
      },
    },
  };
}

function codeOf(id: string, context: BuildContext): string | undefined {
  if (id === BASE_MODULE) return BASE_CODE;
  if (id === ENV_MODULE) return envCode(context);
  if (id === WASM_MODULE) return WASM_CODE;
  if (id.startsWith(ROUTER_MODULE)) return routerCode(id);
  if (!id.startsWith(PUBLIC_MODULE)) return undefined;
  return `${BASE_IMPORT};\nexport default __base + ${JSON.stringify(id.slice(PUBLIC_MODULE.length))};`;
}
