import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

let url: URL | undefined;

/**
 * Returns the URL of `worker.ts` as JavaScript, compiled once. Otherwise Node would load its TypeScript compiler in
 * every worker thread, which costs some 40 ms of processor time and 10 MB each.
 */
export function workerUrl(): URL {
  url ??= compile();
  return url;
}

function compile(): URL {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('./worker.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    // The name in stack traces, instead of the whole URL.
    footer: { js: '//# sourceURL=local/cloud/lambda/worker.ts' },
  });
  return new URL(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
}
