/** A text that may contain ids and classes: of a string, a part of a template literal, or an attribute. */
export interface Text {
  readonly text: string;
  /** The only attribute that its words can be values of. */
  readonly only?: 'id' | 'class' | undefined;
  /** Whether another value may be joined to its start or its end. */
  readonly joinsStart?: boolean;
  readonly joinsEnd?: boolean;
}

const WORDS = /[\w\u0080-\uffff-]+/g;
const LONGEST = 100;
/** A shorter part of a name must be joined to a number, or contain a separator. */
const SHORTEST_PART = 3;

/** The words of texts that may be ids or classes, and the starts and ends of those that programs complete. */
export class Vocabulary {
  readonly #id = new NamePatterns();
  readonly #class = new NamePatterns();

  add({ text, only, joinsStart, joinsEnd }: Text): void {
    const targets = [...(only === 'class' ? [] : [this.#id]), ...(only === 'id' ? [] : [this.#class])];
    for (const { 0: word, index } of text.matchAll(WORDS)) {
      if (word.length > LONGEST) continue;
      // A prefix may be in a variable that another text completes.
      const starts = (joinsEnd && index + word.length === text.length) || /[-_]$/.test(word);
      for (const { words, starts: beginnings, ends } of targets) {
        words.add(word);
        if (starts) beginnings.add(word);
        if (joinsStart && index === 0) ends.add(word);
      }
    }
  }

  addAll(other: Vocabulary): void {
    this.#id.addAll(other.#id);
    this.#class.addAll(other.#class);
  }

  /** Returns whether the texts contain an id or a class, or a part of it that a program may complete. */
  mayContain(attribute: 'id' | 'class', name: string): boolean {
    const { words, starts, ends } = attribute === 'id' ? this.#id : this.#class;
    if (words.has(name)) return true;
    for (let at = 1; at < name.length; at++) {
      const [start, end] = [name.slice(0, at), name.slice(at)];
      if (starts.has(start) && isPart(start, end)) return true;
      if (ends.has(end) && isPart(end, start)) return true;
    }
    return false;
  }
}

class NamePatterns {
  readonly words = new Set<string>();
  readonly starts = new Set<string>();
  readonly ends = new Set<string>();

  addAll({ words, starts, ends }: NamePatterns): void {
    for (const word of words) this.words.add(word);
    for (const start of starts) this.starts.add(start);
    for (const end of ends) this.ends.add(end);
  }
}

function isPart(part: string, rest: string): boolean {
  return part.length >= SHORTEST_PART || /[-_]/.test(part) || /^\d+$/.test(rest);
}
