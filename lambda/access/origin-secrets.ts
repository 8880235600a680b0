import { hash } from 'node:crypto';
import type { StageItem, StageState } from './stage-state.ts';
import { ORIGIN_SECRET_HEADER } from './viewer-address.ts';

/** Returns the digest of an origin secret as the state of a stage has it. */
export const originSecretDigest = (secret: string): string => hash('sha256', secret);

/**
 * The secrets that our distribution may send. The state of the stage has the digests of those that a rotation made valid or
 * invalid. The value of the last deployment also counts, unless a rotation has retired it: a deployment may replace the secret.
 */
export class OriginSecrets {
  readonly #deployed: string;
  readonly #state: Pick<StageState, 'current'>;
  #known: StageItem | undefined;

  /** @param deployed the value that the last deployment of the function resolved */
  constructor(deployed: string, state: Pick<StageState, 'current'>) {
    this.#deployed = originSecretDigest(deployed);
    this.#state = state;
  }

  /**
   * Returns whether a request came through our distribution, which adds a secret.
   * @throws the SDK's error if the state of the stage cannot be read, and this instance has never read it
   */
  async areSentWith({ headers }: { readonly headers: Readonly<Record<string, string>> }): Promise<boolean> {
    const sent = headers[ORIGIN_SECRET_HEADER];
    if (sent === undefined) return false;
    const { originSecrets = [], retiredOriginSecrets = [] } = await this.#current();
    // Digests need no comparison in constant time: their callers cannot choose their beginnings.
    const digest = originSecretDigest(sent);
    if (originSecrets.includes(digest)) return true;
    return digest === this.#deployed && !retiredOriginSecrets.includes(digest);
  }

  /** Returns the state, or while it cannot be read, the last one. */
  async #current(): Promise<StageItem> {
    try {
      this.#known = await this.#state.current();
    } catch (error) {
      if (this.#known === undefined) throw error;
    }
    return this.#known;
  }
}
