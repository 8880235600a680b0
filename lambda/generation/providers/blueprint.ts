import { compose, matchPrompt } from '../../../blueprints/engine/compose.ts';
import type { Provider } from './provider.ts';

/** The embedded provider: chooses a starter and fills it in from the prompt. Deterministic, without network or key. */
export const blueprint: Provider = {
  model: 'blueprint',
  async *write({ prompt, duration, kind, files }) {
    const project = compose(prompt, duration);
    const end = { type: 'end', reason: 'complete', matched: matchPrompt(prompt) } as const;
    if (kind === 'plan') {
      const lines = project.map(({ path }) => `${path}: part of the starter project\n`);
      yield { type: 'text', text: `<plan>\n${lines.join('')}</plan>\n<done/>\n` };
      return yield end;
    }
    const written = new Set(files.map(({ path }) => path));
    for (const { path, content } of project) {
      if (written.has(path)) continue;
      const lineFeed = content === '' || content.endsWith('\n') ? '' : '\n';
      yield { type: 'text', text: `<file path="${path}">\n${content}${lineFeed}</file>\n` };
    }
    yield { type: 'text', text: '<done/>\n' };
    yield end;
  },
};
