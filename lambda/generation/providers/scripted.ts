import { setTimeout } from 'node:timers/promises';
import type { ProviderConfig } from '../../contract/providers.ts';
import type { Provider } from './provider.ts';

type Script = Extract<ProviderConfig, { kind: 'scripted' }>;

const PAGE = '<file path="index.html">\n<!doctype html>\n<title>Scripted</title>\n</file>\n';

/** A provider that behaves as its configuration says, for tests of everything around providers. */
export function scripted({ script, delayMs }: Script): Provider {
  return {
    model: 'scripted',
    async *write(_request, signal) {
      switch (script) {
        case 'answer':
          await setTimeout(delayMs, undefined, { signal });
          yield PAGE;
          return yield '<done/>\n';
        case 'hang':
          return await new Promise(() => {});
        case 'block':
          // Stops the thread: not even the run's own deadline fires, only the state machine's does.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
          return;
        case 'fail':
          throw new Error('scripted to fail');
        case 'cut':
          yield PAGE.slice(0, PAGE.indexOf('</file>'));
      }
    },
  };
}
