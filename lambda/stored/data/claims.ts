import { createHmac } from 'node:crypto';
import { ABANDONED_MS } from './announcement.ts';
import { contended, type SiteTable } from './site-table.ts';

/** Claims a unique value, or the key of a request, for one item. */
export interface Claim {
  /** The sort key. */
  readonly key: string;
  /** The item that is created with it. */
  readonly id: string;
  /** The call that creates the item. */
  readonly by: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** When it ends, in Unix seconds; absent if it stays as long as its item. */
  readonly expiresAt?: number | undefined;
}

/** Lost races before a claim gives up. */
const ROUNDS = 5;

/** Returns the keyed hash of a value: without the site's key, nobody can compute it. 128 bits. */
export function keyedHash(key: string, parts: readonly string[]): string {
  return createHmac('sha256', Buffer.from(key, 'base64url'))
    .update(JSON.stringify(parts))
    .digest('base64url')
    .slice(0, 22);
}

/** The claims of a site. One whose item does not exist after a minute is void. */
export class Claims {
  readonly #table: SiteTable;

  constructor(table: SiteTable) {
    this.#table = table;
  }

  /** @returns false if there is a claim, which can be this one: its response may have been lost */
  claim(claim: Claim): Promise<boolean> {
    return this.#put(claim, {
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': 'key' },
    });
  }

  /**
   * Decides what a failed claim means.
   * @param isUsed reports if the item of a claim that is older than a minute exists
   * @returns the claim that stands, or undefined if it is this one
   */
  async resolve(claim: Claim, isUsed: (former: Claim) => Promise<boolean>): Promise<Claim | undefined> {
    for (let round = 0; round < ROUNDS; round++) {
      const former = await this.find(claim.key);
      if (former?.by === claim.by) return undefined;
      if (former && (this.isFresh(former) || (await isUsed(former)))) return former;
      if (await (former ? this.#replace(former, claim) : this.claim(claim))) return undefined;
    }
    throw contended('A unique value');
  }

  async find(key: string): Promise<Claim | undefined> {
    return (await this.#table.get(key)) as unknown as Claim | undefined;
  }

  /** Whether the call of a claim can still be creating its item. */
  isFresh({ at }: Claim): boolean {
    return at > this.#table.now - ABANDONED_MS;
  }

  /** Deletes the claim of a call, unless another call has taken it over. */
  async release({ key, by }: Pick<Claim, 'key' | 'by'>): Promise<void> {
    await this.#table.delete(key, ofCall(by));
  }

  #replace(former: Claim, claim: Claim): Promise<boolean> {
    return this.#put(claim, ofCall(former.by));
  }

  #put({ key, id, by, at, expiresAt }: Claim, condition: object): Promise<boolean> {
    return this.#table.put({ site: this.#table.site, key, id, by, at, expiresAt }, condition);
  }
}

const ofCall = (by: string) => ({
  ConditionExpression: '#by = :by',
  ExpressionAttributeNames: { '#by': 'by' },
  ExpressionAttributeValues: { ':by': by },
});
