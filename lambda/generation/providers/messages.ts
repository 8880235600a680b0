import type { streamText } from 'ai';
import type { ShownImage } from '../images/shown-images.ts';
import type { Instructions } from '../instructions.ts';

/** Options of the AI SDK by vendor. */
export type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>;

/**
 * Returns the messages for the AI SDK. The parts that the calls of a generation share come first, since caches are of prefixes:
 * the system text, then the request with its images.
 * @param images those of the request, which its calls share, and those of this call
 * @param cacheMark ends each part that the vendor should cache
 */
export function messagesOf(
  { system, shared, prompt }: Instructions,
  images: { readonly shared: readonly ShownImage[]; readonly own: readonly ShownImage[] },
  cacheMark: ProviderOptions | undefined,
) {
  if (!cacheMark && images.shared.length + images.own.length === 0)
    return { instructions: system, prompt: `${shared}\n\n${prompt}` };
  const marked = cacheMark ? { providerOptions: cacheMark } : {};
  const sharedParts = [text(shared), ...images.shared.flatMap(imageParts)];
  const content = [
    ...sharedParts.slice(0, -1),
    ...sharedParts.slice(-1).map((last) => ({ ...last, ...marked })),
    ...images.own.flatMap(imageParts),
    text(prompt),
  ];
  return {
    instructions: { role: 'system' as const, content: system, ...marked },
    prompt: [{ role: 'user' as const, content }],
  };
}

const text = (content: string) => ({ type: 'text', text: content }) as const;

/** Returns an image after its label. */
function imageParts({ label, mediaType, content }: ShownImage) {
  return [text(`${label}:`), { type: 'file', mediaType, data: content } as const];
}
