/** Characters that count as a word, whatever the language. */
const WORD = 5;

/** One test. Times are milliseconds, of any clock. */
export class Game {
  typed = '';
  #passages;
  #limit;
  #begun = null;
  #ended = null;
  #strokes = 0;
  #mistakes = 0;
  /** Right characters of the passages before this one. */
  #earlier = 0;

  /** @param limit milliseconds until the test ends; 0 ends it with the first passage */
  constructor(passages, limit) {
    this.#passages = [...passages];
    this.#limit = limit;
  }

  get text() {
    return this.#passages[0];
  }

  get over() {
    return this.#ended !== null;
  }

  /** Right keys of all keys, from 0 to 1; corrected mistakes count as mistakes. */
  get accuracy() {
    return this.#strokes ? 1 - this.#mistakes / this.#strokes : 1;
  }

  isRight(at) {
    return this.typed[at] === this.text[at];
  }

  get #right() {
    return this.#earlier + [...Array(this.typed.length).keys()].filter((at) => this.isRight(at)).length;
  }

  elapsed(now) {
    return this.#begun === null ? 0 : (this.#ended ?? now) - this.#begun;
  }

  /** Milliseconds to show: those left, or without a limit those that have passed. */
  clock(now) {
    return this.#limit ? Math.max(0, this.#limit - this.elapsed(now)) : this.elapsed(now);
  }

  /** Words per minute. A second at least, so that one key is no record. */
  speed(now) {
    return this.#begun === null ? 0 : Math.round(this.#right / WORD / (Math.max(this.elapsed(now), 1000) / 60_000));
  }

  /** Takes what has been typed of the passage so far. */
  type(typed, now) {
    this.tick(now);
    if (this.over) return;
    this.#begun ??= now;
    for (let at = this.typed.length; at < typed.length; at++) {
      this.#strokes++;
      if (typed[at] !== this.text[at]) this.#mistakes++;
    }
    this.typed = typed;
    if (typed.length < this.text.length) return;
    if (!this.#limit) this.#ended = now;
    else {
      this.#earlier = this.#right;
      this.typed = '';
      this.#passages.push(this.#passages.shift());
    }
  }

  tick(now) {
    if (this.#limit && !this.over && this.elapsed(now) >= this.#limit) this.#ended = this.#begun + this.#limit;
  }
}
