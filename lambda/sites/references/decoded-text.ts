import type { RootReference } from './root-reference.ts';

/** Text with its character references decoded, that knows where each part of it stands in the source. */
export class DecodedText {
  text = '';
  readonly #parts: { readonly start: number; readonly position: number | undefined }[] = [];

  /** `position` is where the part stands in the source; undefined when that is not known. */
  add(part: string, position: number | undefined): void {
    this.#parts.push({ start: this.text.length, position });
    this.text += part;
  }

  /** Moves references from the text, in their order, to the source; leaves out one whose place is not known. */
  inSource(references: readonly RootReference[]): RootReference[] {
    let next = 0;
    return references.flatMap(({ at, path }) => {
      while ((this.#parts[next]?.start ?? Number.POSITIVE_INFINITY) <= at) next++;
      const { start = 0, position } = this.#parts[next - 1] ?? {};
      return position === undefined ? [] : [{ at: position + at - start, path }];
    });
  }
}
