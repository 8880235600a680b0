import { ModuleMocker } from 'jest-mock';

/** The number with which `jest-worker` asks a worker to end, although what its test files share is still running. */
const END = 2;

process.on('message', (message) => {
  if (Array.isArray(message) && message[0] === END) process.exit();
});

/** What tests of scripts for pages define: a library that is loaded later would take Node.js for a browser. */
const OF_BROWSERS = ['document', 'window', 'addEventListener', 'removeEventListener'];

/** What the tests of a file changed in the process. */
interface Before {
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly exit: typeof process.exit;
}

/**
 * Jest's option `testEnvironment`: tests run in the global scope of the worker process. After each file, the environment
 * variables, the current folder and mocked functions are as before, and there are no globals of browsers.
 */
export default class NativeEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern = null;
  readonly #before: Before = { env: { ...process.env }, folder: process.cwd(), exit: process.exit };

  getVmContext(): null {
    return null;
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  async setup(): Promise<void> {
    const mocker = this.moduleMocker;
    const jest = {
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
    };
    Object.assign(this.global, { jest });
  }

  async teardown(): Promise<void> {
    this.moduleMocker.restoreAllMocks();
    const { env, folder, exit } = this.#before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    if (process.cwd() !== folder) process.chdir(folder);
    process.exit = exit;
    for (const name of OF_BROWSERS) Reflect.deleteProperty(globalThis, name);
  }
}
