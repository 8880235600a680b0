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
    const declaration = this.#known.get(hash) ?? (await this.#parse(site, hash));
    if (declaration === undefined) return { collections: new Map() };
    this.#known.delete(hash);
    this.#known.set(hash, declaration);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KEPT && oldest !== undefined) this.#known.delete(oldest);
    return declaration;
  }

  /** @returns undefined if the rules are missing: those of another site with the same hash may not be */
  async #parse(site: string, hash: string): Promise<Declaration | undefined> {
    const text = await this.#read(site, hash);
    return text === undefined ? undefined : parseDeclaration(text);
  }
}
