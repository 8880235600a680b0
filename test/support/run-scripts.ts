import vm from 'node:vm';
import type { Files } from '../../lambda/builds/files.ts';

const BASE = 'https://host.test/d/x/assets/';

/**
 * Runs the scripts that a built page loads, without a document.
 * @returns what they passed to the global function `log`, each with its arguments
 */
export async function runScripts(files: Files, page = 'index.html'): Promise<unknown[][]> {
  const html = Buffer.from(files.get(page) ?? '').toString();
  const logged: unknown[][] = [];
  const context = vm.createContext({ log: (...values: unknown[]) => logged.push(values), URL, Promise });
  const modules = new Map<string, vm.SourceTextModule>();
  const load = (name: string): vm.SourceTextModule => {
    const source = files.get(`assets/${name}`);
    if (!source) throw new Error(`There is no script ${name}`);
    const module =
      modules.get(name) ??
      new vm.SourceTextModule(Buffer.from(source).toString(), {
        context,
        identifier: name,
        initializeImportMeta: (meta) => {
          meta.url = BASE + name;
        },
        importModuleDynamically: (specifier) => evaluated(specifier.slice('./'.length)) as Promise<vm.Module>,
      });
    modules.set(name, module);
    return module;
  };
  const evaluated = async (name: string) => {
    const module = load(name);
    if (module.status === 'unlinked') await module.link((specifier) => load(specifier.slice('./'.length)));
    await module.evaluate();
    return module;
  };
  for (const [, name = ''] of html.matchAll(/<script type="module" crossorigin src="\/assets\/([^"]+)"/g)) {
    await evaluated(name);
  }
  // Dynamic imports at the end of a script.
  await new Promise((resolve) => setTimeout(resolve, 5));
  return logged;
}
