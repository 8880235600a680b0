import { type Declaration, parseDeclaration } from '../sites/data/declaration.ts';

/** Declarations that an instance keeps; the one that was used least recently is evicted first. */
const KEPT = 500;

/** The declarations of sites by the hash of their text, which never change. */
export class Rules {
  readonly #read: (site: string, hash: string) => Promise<string | undefined>;
  readonly #known = new Map<string, Declaration>();

  constructor(read: (site: string, hash: string) => Promise<string | undefined>) {
    this.#read = read;
  }

  async find(site: string, hash: string): Promise<Declaration> {
    const known = this.#known.get(hash);
    const declaration = known ?? parseDeclaration((await this.#read(site, hash)) ?? '{}');
    this.#known.delete(hash);
    this.#known.set(hash, declaration);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KEPT && oldest !== undefined) this.#known.delete(oldest);
    return declaration;
  }
}
