import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

const OPTIONS = {
  bundle: true,
  minify: true,
  // These know `light-dark()` and popovers.
  target: ['chrome125', 'firefox125', 'safari17.5'],
  write: false,
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Where the chunks of a page are, under the base URL. Their names have a hash. */
const CHUNKS = 'console';

/** Name of the Trusted Types policy that the loader has. */
export const LOADER_POLICY = 'chunks';

/**
 * Loads a chunk by an element, and then imports it, which takes no further request. `'strict-dynamic'` does not allow `import()`
 * itself: in a script that the parser inserted, it counts as inserted by the parser, too.
 */
const LOADER = `const urls = globalThis.trustedTypes?.createPolicy('${LOADER_POLICY}', { createScriptURL: (url) => url }) ?? { createScriptURL: (url) => url };
const loadChunk = (url) => new Promise((loaded, failed) => {
  const script = document.createElement('script');
  script.type = 'module';
  script.src = urls.createScriptURL(url);
  script.onload = () => loaded(import(url));
  script.onerror = () => failed(new Error('The file ' + url + ' could not be loaded'));
  document.head.append(script);
});`;

interface Bundle {
  /** To be inline in the page, as a classic script. */
  readonly script: string;
  /** The modules that it loads with `import()`, by the key of the object. */
  readonly chunks: Readonly<Record<string, Uint8Array>>;
}

const modules = new Set<string>();
const texts = new Map<string, string>();
const bundles = new Map<string, Bundle>();

/** Returns a script or style sheet for browsers with everything that it imports, minified. */
export function bundleText(file: string): string {
  return getOrMake(texts, file, () => {
    const { outputFiles, metafile } = buildSync({ ...OPTIONS, entryPoints: [path(file)] });
    note(metafile);
    return outputFiles[0]?.text.trim() ?? '';
  });
}

/**
 * Returns a script that loads some of its modules later. Such a module must not import anything that the script has itself, such
 * as Preact: it would become a file that the first load waits for, and that the page's policy forbids.
 */
export function split(file: string): Bundle {
  return getOrMake(bundles, file, () => {
    const { outputFiles, metafile } = buildSync({
      ...OPTIONS,
      entryPoints: [{ in: path(file), out: 'main' }],
      outdir: '/',
      chunkNames: `${CHUNKS}/[name]-[hash]`,
      publicPath: '/',
      format: 'esm',
      splitting: true,
      legalComments: 'none',
    });
    note(metafile);
    const text = outputFiles.find((output) => output.path.endsWith('/main.js'))?.text.trim() ?? '';
    // Helpers of CommonJS modules, of which the script itself uses none.
    const main = text.replace(/^import"[^"]+";/, '');
    if (/(?:^|[;}\n])import\s*["{*\w]/.test(main))
      throw new Error(`A module that ${file} loads later shares imports with it: keep them apart`);
    const later = outputFiles.filter((output) => output.path.includes(`/${CHUNKS}/`));
    const chunks = later.map((output) => [output.path.replace(/^.*\/(?=console\/)/, ''), output.contents]);
    const loader = buildSync({
      ...OPTIONS,
      stdin: { contents: LOADER },
      bundle: false,
      minifyIdentifiers: false,
    });
    const script = `${loader.outputFiles[0]?.text.trim()}${main.replaceAll(`import("/${CHUNKS}/`, `loadChunk("/${CHUNKS}/`)}`;
    return { script: `(()=>{"use strict";${script}})()`, chunks: Object.fromEntries(chunks) };
  });
}

/** Returns the paths of the modules in all bundles made so far. */
export const bundledModules = (): readonly string[] => [...modules];

function note({ outputs }: Metafile): void {
  for (const { inputs } of Object.values(outputs))
    for (const [module, { bytesInOutput }] of Object.entries(inputs)) if (bytesInOutput > 0) modules.add(module);
}

/** Returns a hash source for a content security policy (CSP Level 3, 2.3.1). */
export function digest(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Returns JSON that cannot end its element. */
export const inlineJson = (data: unknown) => JSON.stringify(data).replaceAll('<', '\\u003c');

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

function getOrMake<T>(known: Map<string, T>, file: string, make: () => T): T {
  const value = known.get(file) ?? make();
  known.set(file, value);
  return value;
}
