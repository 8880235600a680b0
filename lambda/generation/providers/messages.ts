import type { streamText } from 'ai';
import type { ShownImage } from '../images/shown-images.ts';
import type { Instructions } from '../instructions.ts';

/** Options of the AI SDK by vendor. */
export type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>;

/**
 * Returns the messages for the AI SDK. The parts that the calls of a generation share come first, since caches are of prefixes:
 * the system text, then the request with its images.
 * @param cacheMark ends each part that the vendor should cache
 */
export function messagesOf(
  { system, shared, prompt }: Instructions,
  images: readonly ShownImage[],
  cacheMark: ProviderOptions | undefined,
) {
  if (!cacheMark && images.length === 0) return { instructions: system, prompt: `${shared}\n\n${prompt}` };
  const marked = cacheMark ? { providerOptions: cacheMark } : {};
  const sharedParts = [text(shared), ...images.flatMap(imageParts)];
  const content = [
    ...sharedParts.slice(0, -1),
    ...sharedParts.slice(-1).map((last) => ({ ...last, ...marked })),
    text(prompt),
  ];
  return {
    instructions: { role: 'system' as const, content: system, ...marked },
    prompt: [{ role: 'user' as const, content }],
  };
}

const text = (content: string) => ({ type: 'text', text: content }) as const;

/** Returns an image after its path. */
function imageParts({ path, mediaType, content }: ShownImage) {
  return [text(`${path}:`), { type: 'file', mediaType, data: content } as const];
}
