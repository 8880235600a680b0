import { editStarter } from '../../../blueprints/edits/edit.ts';
import { compose, matchPrompt } from '../../../blueprints/engine/compose.ts';
import type { ProjectImage } from '../../stored/projects/stored-project.ts';
import { type AttemptRequest, FREE, type Provider, type ProviderEvent } from './provider.ts';

/** The embedded provider: chooses a starter and fills it in from the prompt. Deterministic, without network or key. */
export const blueprint: Provider = {
  model: 'blueprint',
  parallel: 1,
  quiet: false,
  repairs: false,
  ...FREE,
  async *write(request) {
    if (request.edits) return yield* edit(request);
    const { prompt, duration, files, images, data } = request;
    const project = compose(prompt, duration, { pictures: images.map(pictureOf), data });
    const end = { type: 'end', reason: 'complete', matched: matchPrompt(prompt, data) } as const;
    if (duration !== 'auto') {
      const lines = project.map(({ path }) => `${path}: part of the starter project\n`);
      yield { type: 'text', text: `<plan>\n${lines.join('')}</plan>\n` };
    }
    const written = new Set(files.map(({ path }) => path));
    for (const { path, content } of project) {
      if (written.has(path)) continue;
      yield fileText(path, content);
    }
    yield { type: 'text', text: '<done/>\n' };
    yield end;
  },
};

/** Describes an image by the name that its owner gave it. */
function pictureOf({ path }: ProjectImage) {
  const name = path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('.'));
  return { src: path, alt: name.replaceAll(/[-_]+/g, ' ').trim() };
}

function fileText(path: string, content: string): ProviderEvent {
  const lineFeed = content === '' || content.endsWith('\n') ? '' : '\n';
  return { type: 'text', text: `<file path="${path}">\n${content}${lineFeed}</file>\n` };
}

/**
 * Makes simple edits, and refuses others. Leaves out files that would not stay byte for byte in the output protocol.
 */
async function* edit({ prompt, files, origin, data }: AttemptRequest): AsyncGenerator<ProviderEvent> {
  const texts = files.flatMap(({ path, content }) =>
    content?.endsWith('\n') && !content.includes('\r') ? [{ path, content }] : [],
  );
  const edited = editStarter(prompt, texts, origin, data);
  if ('refusal' in edited) return yield { type: 'end', reason: 'refused', refusal: edited.refusal };
  for (const { path, content } of edited.changed) yield fileText(path, content);
  yield { type: 'text', text: '<done/>\n' };
  yield { type: 'end', reason: 'complete' };
}
