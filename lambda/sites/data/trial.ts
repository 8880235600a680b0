import { type Declaration, OPERATIONS, parseDeclaration } from './declaration.ts';
import { DeclarationError } from './declaration-text.ts';
import { type DataResponse, emptyResponse } from './http.ts';
import { MemoryStore } from './memory-store.ts';
import { type DataContext, type DataRequest, dataOperation } from './operations.ts';
import { samplesOf } from './samples.ts';

/** Where a site that is tried is. */
type Place = Pick<DataContext, 'origin' | 'base'>;

const VISITOR = 'visitor';
const OTHER = 'other';
const DATA = /^((?:.*?\/)?)\.data\/(.*)$/s;
const HOUR_MS = 3_600_000;

/** The data of a site that is not deployed, in memory: for one visitor, who is recognized. */
export class TrialData {
  /** Whether the visitor is the owner of the site. */
  isOwner = false;
  /** A page has asked for what only the owner may do, or whether its visitor is the owner. */
  hasOwnersPart = false;
  readonly #declaration: Declaration;
  readonly #store = new MemoryStore({ items: 1_000, bytes: 1_048_576 });
  readonly #clock: () => number;
  #ids = 0;

  constructor(declaration: Declaration, clock: () => number) {
    this.#declaration = declaration;
    this.#clock = clock;
  }

  /** @param text of `_data.json`. @returns undefined if it declares nothing, as no deploy would take it */
  static of(text: string | undefined, clock: () => number): TrialData | undefined {
    if (text === undefined) return undefined;
    try {
      return new TrialData(parseDeclaration(text), clock);
    } catch (error) {
      if (error instanceof DeclarationError) return undefined;
      throw error;
    }
  }

  /**
   * Responds to a request that a page of the site makes.
   * @param url below the site
   * @returns undefined for one that is not for its data
   */
  async respond(
    url: URL,
    request: Pick<DataRequest, 'method' | 'headers' | 'body'>,
    place: Place,
  ): Promise<DataResponse | undefined> {
    const [, folder, path] = DATA.exec(url.pathname.slice(place.base.length)) ?? [];
    if (folder === undefined || path === undefined) return undefined;
    if (path === 'owner' && request.method === 'DELETE') {
      this.isOwner = false;
      return emptyResponse(204);
    }
    const headers = { ...request.headers, 'sec-fetch-site': 'same-origin' };
    const { created: _, ...response } = await dataOperation(
      { ...request, headers, path, folder, rawQuery: url.search.slice(1) },
      {
        ...place,
        declaration: this.#declaration,
        store: this.#store,
        caller: { visitor: VISITOR, owner: this.isOwner },
        newVisitor: () => VISITOR,
        clock: this.#clock,
        newItemId: () => this.#newId(),
        // The keys of a page whose chance repeats itself are those of other items.
        idFor: () => this.#newId(),
      },
    );
    this.hasOwnersPart ||= response.status === 403 || (path === '' && this.#isOwnersAlone());
    return response;
  }

  /** Reports if the owner may do or see what no other visitor may. */
  #isOwnersAlone(): boolean {
    const all = [...this.#declaration.collections.values()];
    return all.some(
      (collection) =>
        collection.private !== undefined || OPERATIONS.some((operation) => collection[operation] === 'owner'),
    );
  }

  /** Adds what visitors could have written to each collection. */
  async fill(): Promise<void> {
    for (const collection of this.#declaration.collections.values())
      for (const [index, fields] of samplesOf(collection).entries()) {
        const tally = collection.tally === undefined ? undefined : fields[collection.tally];
        await this.#store.create(collection.name, {
          id: this.#newId(),
          fields,
          createdAt: this.#clock() - (3 - index) * HOUR_MS,
          bytes: JSON.stringify(fields).length,
          // Only the last one is the visitor's, who may still create one where each visitor may create one.
          author: index === 2 && collection.unique !== 'visitor' ? VISITOR : OTHER,
          shown: true,
          ...(typeof tally === 'string' && { tally }),
        });
      }
  }

  /** Returns all data as JSON, which `restore` reads. */
  save(): string {
    return this.#store.save();
  }

  restore(saved: string): void {
    this.#store.restore(saved);
  }

  #newId(): string {
    this.#ids++;
    return `${this.#clock().toString(36).padStart(9, '0')}${String(this.#ids).padStart(6, '0')}`;
  }
}
