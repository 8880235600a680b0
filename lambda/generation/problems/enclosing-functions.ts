const DECLARATION = /^(?:const|let|var|function|class)$/;
const WORD = /^[\w$\u0080-\uffff]+$/;
/** Words before the parentheses of blocks that are no functions, and of functions that are called by other names. */
const NO_NAMES = new Set('if for while switch catch with function constructor await'.split(' '));
/** Maximum number of nested functions: each lookup has a list of them. */
const MOST = 8;

interface Bracket {
  /** The word before it. */
  readonly word: string;
  /** The name of the function whose body it opens; otherwise empty. */
  readonly name: string;
}

/** Follows the tokens of a script, and tells which functions contain the current one. */
export class EnclosingFunctions {
  readonly #open: Bracket[] = [];
  #last = '';
  /** The word before the last closed bracket. */
  #closed = '';
  /** What the current statement of the top level declares; otherwise empty. */
  #declared = '';

  follow(token: string): void {
    if (this.#open.length === 0 && DECLARATION.test(this.#last)) this.#declared = token;
    if (/^[({[]$/.test(token)) {
      const name = token === '{' && this.#last === ')' ? this.#closed : '';
      this.#open.push({ word: this.#last, name });
    } else if (/^[)}\]]$/.test(token)) this.#closed = this.#open.pop()?.word ?? '';
    if (this.#open.length === 0 && /^[;}]$/.test(token)) this.#declared = '';
    this.#last = token;
  }

  /** Returns the names of the innermost functions, and of the declaration at the top level. */
  names(): string[] {
    const functions = this.#open.slice(-MOST).map(({ name }) => name);
    return [this.#declared, ...functions].filter((name) => WORD.test(name) && !NO_NAMES.has(name));
  }
}
