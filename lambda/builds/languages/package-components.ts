import { BuildError } from '../problem.ts';

/** Components in packages, and Svelte's modules with runes, such as `node_modules/a/dist/Icon.svelte` and `state.svelte.js`. */
const COMPONENT = /\.(?:svelte|vue|svelte\.[jt]s)$/;

export function isPackageComponent(path: string): boolean {
  return COMPONENT.test(path);
}

/**
 * Compiles a component of a package. Its styles are part of the script.
 * @throws BuildError for an invalid one, and for those of Vue, which packages compile before they are published
 */
export async function compilePackageComponent(path: string, source: string): Promise<string> {
  if (path.endsWith('.vue')) {
    throw new BuildError([
      { message: `${path} is a component of Vue: only compiled ones can be used in packages` },
    ]);
  }
  const { compile, compileModule } = await import('svelte/compiler');
  const options = { filename: path, generate: 'client', dev: false } as const;
  try {
    if (!path.endsWith('.svelte')) return compileModule(source, options).js.code;
    return compile(source, { ...options, css: 'injected' }).js.code;
  } catch (error) {
    const [first = ''] = (error as Error).message.split('\n');
    throw new BuildError([{ message: `${path} cannot be compiled: ${first}` }]);
  }
}
