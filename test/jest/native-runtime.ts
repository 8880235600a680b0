import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

/** Makes each import of a test file or set-up file a module of its own. */
let imports = 0;

/**
 * Jest's option `runtime`: loads test files with Node's own module loader instead of Jest's `vm` modules. The test files of a
 * worker share the modules that they import, so `lambda/` is evaluated once per worker, not once per test file. Only test files
 * and `setupFilesAfterEnv` are evaluated anew, so hooks belong there or in functions that they call.
 */
export default class NativeRuntime {
  setGlobalsForRuntime(): void {}

  /** Loads a part of jest-circus anew: it keeps the tests of a file in the state of its modules. */
  requireInternalModule(path: string): unknown {
    const folder = dirname(path) + sep;
    for (const loaded of Object.keys(require.cache)) if (loaded.startsWith(folder)) delete require.cache[loaded];
    return require(path);
  }

  requireModule(path: string): unknown {
    return require(path);
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  async unstable_importModule(path: string): Promise<void> {
    imports += 1;
    await import(`${pathToFileURL(path)}?${imports}`);
  }

  getSourceMaps(): null {
    return null;
  }

  getAllCoverageInfoCopy(): undefined {
    return undefined;
  }

  enterTestCode(): void {}
  leaveTestCode(): void {}
  teardown(): void {}
}
