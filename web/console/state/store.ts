import type { Action } from './actions.ts';
import { INITIAL, reduce } from './reduce.ts';
import type { State } from './types.ts';

/** The state of the page: it changes by actions only. */
export class Store {
  state: State = INITIAL;
  readonly #listeners = new Set<(state: State) => void>();

  readonly dispatch = (action: Action): void => {
    const before = this.state;
    this.state = reduce(before, action);
    if (this.state !== before) for (const listener of this.#listeners) listener(this.state);
  };

  subscribe(listener: (state: State) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
