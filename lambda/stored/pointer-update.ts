import { type Table, unlessConditionFails } from '../platform/dynamodb.ts';
import { END_INDEX } from '../platform/env.ts';
import { ItemUpdate } from '../platform/item-update.ts';
import type { SiteData } from './data/site-data.ts';
import type { Access } from './page-access.ts';

/** The versions in an `If-Match` header, or `*` for any; undefined without the header. */
export type IfMatch = readonly string[] | '*' | undefined;

/** How long a deployment stays. */
export interface Life {
  /** Unix milliseconds. */
  readonly endsAt: number;
  /** Its length, if a request chose it. */
  readonly seconds?: number | undefined;
}

/** The settings that a request changes besides the files. Undefined ones stay. */
export interface SettingsChange {
  /** `null` if it never ends. */
  readonly life?: Life | null | undefined;
  /** The length of the life that a deploy renews: if it was changed meanwhile, that change must not be lost. */
  readonly renewed?: Pick<Life, 'seconds'> | undefined;
  /** `null` for everyone. */
  readonly access?: Access | null | undefined;
  /** When the change ends copies at the edge, in Unix milliseconds; undefined if there is nothing to end. */
  readonly withdrawnAt?: number | undefined;
  /** Whether the change requires pages that are still private: if they became public in between, edge copies would remain. */
  readonly staysPrivate?: boolean | undefined;
  /** The URL that is notified of new items; `null` for none. */
  readonly dataWebhook?: string | null | undefined;
}

/** The data of a site before and after a deploy, which fails if it changed in between. */
export interface DataChange {
  readonly was: SiteData | undefined;
  readonly is: SiteData | undefined;
}

/** A conditional update of a pointer. */
export class PointerUpdate extends ItemUpdate {
  readonly #now: number;

  /** @param now in Unix milliseconds */
  constructor(now: number) {
    super();
    this.#now = now;
  }

  exists(): this {
    return this.require('live', 'attribute_exists(%)');
  }

  /** Also requires that the life of the deployment has not ended. */
  notDeleted(): this {
    return this.require(
      'endsAt',
      '(attribute_not_exists(deletedAt) AND (attribute_not_exists(%) OR % > ?))',
      this.#now,
    );
  }

  deleted(): this {
    return this.require('endsAt', '(attribute_exists(deletedAt) OR % <= ?)', this.#now);
  }

  of(owner: string): this {
    return this.require('owner', '% = ?', owner);
  }

  /** Requires what an `If-Match` does (RFC 9110, 13.1.1): no header matches without a live version. */
  matches(ifMatch: IfMatch): this {
    if (ifMatch === undefined) return this;
    this.exists().notDeleted();
    return ifMatch === '*' ? this : this.require('live', `% IN (${ifMatch.map(() => '?').join(', ')})`, ...ifMatch);
  }

  /** Changes the settings of a deployment. */
  settings(id: string, { life, renewed, access, withdrawnAt, staysPrivate, dataWebhook }: SettingsChange): this {
    if (life !== undefined)
      this.assign('endsAt', life?.endsAt)
        .assign(END_INDEX.shard, life ? id.slice(0, 1) : undefined)
        .assign('lifeSeconds', life?.seconds);
    if (access !== undefined) this.assign('access', access ?? undefined);
    if (withdrawnAt !== undefined) this.set('withdrawal', { at: withdrawnAt });
    if (dataWebhook !== undefined) this.assign('dataWebhook', dataWebhook ?? undefined);
    if (staysPrivate) this.require('access', 'attribute_exists(%)');
    if (renewed?.seconds !== undefined) this.require('lifeSeconds', '% = ?', renewed.seconds);
    else if (renewed) this.require('lifeSeconds', 'attribute_not_exists(%)');
    return this;
  }

  /** Requires the data that a deploy knows, unless the deployment is new, and changes it. */
  data({ was, is }: DataChange, isNew: boolean): this {
    if (was && !isNew)
      this.require(['data', 'rules'], '% = ?', was.rules).require(['data', 'since'], '% = ?', was.since);
    else if (!isNew) this.require('data', 'attribute_not_exists(%)');
    return is?.rules === was?.rules && is?.since === was?.since ? this : this.assign('data', is);
  }

  /**
   * Updates a pointer.
   * @param returned its item after the update, or before it
   * @returns that item, if there is one, or `done: false` if a condition failed
   */
  async write(table: Table, id: string, returned: 'ALL_NEW' | 'ALL_OLD' = 'ALL_NEW') {
    const item = await unlessConditionFails(table.update({ id }, { ...this.input, ReturnValues: returned }));
    return { done: item !== undefined, item: item && 'id' in item ? item : undefined };
  }
}
