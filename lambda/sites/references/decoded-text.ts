import type { RootReference } from './root-reference.ts';

/** Text with decoded character references that maps positions back to its source. */
export class DecodedText {
  text = '';
  readonly #parts: { readonly start: number; readonly position: number | undefined }[] = [];

  /** @param position the offset of the part in the source, or undefined if it is unknown */
  add(part: string, position: number | undefined): void {
    this.#parts.push({ start: this.text.length, position });
    this.text += part;
  }

  /** Maps references in the text, given in order, to the source; omits those whose position is unknown. */
  inSource(references: readonly RootReference[]): RootReference[] {
    let next = 0;
    return references.flatMap(({ at, path }) => {
      while ((this.#parts[next]?.start ?? Number.POSITIVE_INFINITY) <= at) next++;
      const { start = 0, position } = this.#parts[next - 1] ?? {};
      return position === undefined ? [] : [{ at: position + at - start, path }];
    });
  }
}
