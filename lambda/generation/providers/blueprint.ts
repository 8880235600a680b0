import { compose } from './blueprint/compose.ts';
import type { Provider } from './provider.ts';

/** The embedded provider: starter projects chosen and filled in from the prompt. No network, no key, deterministic. */
export const blueprint: Provider = {
  model: 'blueprint',
  async *write({ prompt, duration }) {
    for (const { path, content } of compose(prompt, duration)) {
      yield `<file path="${path}">\n${content}${content === '' || content.endsWith('\n') ? '' : '\n'}</file>\n`;
    }
    yield '<done/>\n';
  },
};
