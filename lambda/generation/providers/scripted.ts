import { setTimeout } from 'node:timers/promises';
import type { ProviderConfig } from '../../contract/providers.ts';
import { FREE, type Provider, type ProviderEvent, ProviderFailure } from './provider.ts';

type Script = Extract<ProviderConfig, { kind: 'scripted' }>;

const PAGE = '<file path="index.html">\n<!doctype html>\n<title>Scripted</title>\n</file>\n';

const text = (chunk: string): ProviderEvent => ({ type: 'text', text: chunk });

/** Returns a provider with configured behavior, for tests of the code around providers. */
export function scriptedProvider({ script, delayMs }: Script): Provider {
  return {
    model: 'scripted',
    parallel: 1,
    quiet: false,
    ...FREE,
    async *write(_request, signal) {
      switch (script) {
        case 'answer':
          await setTimeout(delayMs, undefined, { signal });
          yield text(PAGE);
          yield text('<done/>\n');
          return yield { type: 'end', reason: 'complete' };
        case 'hang':
          return await new Promise(() => {});
        case 'block':
          // Blocks the thread: the attempt's own deadlines cannot fire, only the state machine's timeout does.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
          return;
        case 'fail':
          throw new ProviderFailure('failed', 'scripted to fail');
        case 'cut':
          yield text(PAGE.slice(0, PAGE.indexOf('</file>')));
      }
    },
  };
}
