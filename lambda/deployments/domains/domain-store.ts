import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../platform/clock.ts';
import { Table, unlessConditionFails } from '../../platform/dynamodb.ts';
import { ItemUpdate } from '../../platform/item-update.ts';
import { type CustomDomain, DOMAIN_PREFIX } from '../../stored/custom-domain.ts';
import { type Deployment, readDeployment } from '../../stored/deployment.ts';
import { EXISTS, NOT_DELETED, type Update, updatePointer } from '../../stored/pointer-update.ts';

/** The result of a step in setting up a domain. */
export interface Finding {
  readonly state: CustomDomain['state'];
  /** Undefined removes it. */
  readonly reason?: string | undefined;
  readonly tenant?: string | undefined;
}

const HAS_DOMAIN = 'attribute_exists(#domain)';
const IS_RUN = '#domain.#run = :run';

/** The domains of deployments, which are attributes of their pointers, and how many an owner has. */
export class DomainStore {
  readonly #table: Table;
  readonly #clock: Clock;

  constructor(db: DynamoDBDocumentClient, table: string, clock: Clock = Date.now) {
    this.#table = new Table(db, table);
    this.#clock = clock;
  }

  find(id: string): Promise<Deployment | undefined> {
    return readDeployment(this.#table.db, this.#table.name, id, this.#clock());
  }

  /** Adds a domain to a deployment of an owner. @returns false if the deployment changed: it has the domain, another owner or no life */
  add(id: string, owner: string, { domain, ...entry }: CustomDomain): Promise<boolean> {
    return this.#change(id, domain, {
      set: ['#domain = :entry'],
      conditions: [EXISTS, NOT_DELETED, 'attribute_not_exists(#domain)', '#owner = :owner'],
      names: { owner: 'owner' },
      values: { entry, owner },
    });
  }

  /** Gives a domain another run, which tries again what failed. */
  async ask(id: string, { domain, state }: CustomDomain, run: string): Promise<boolean> {
    const again = state === 'failed';
    return this.#change(id, domain, {
      set: ['#domain.#run = :run', '#domain.askedAt = :now', ...(again ? ['#domain.#state = :state'] : [])],
      conditions: [EXISTS, NOT_DELETED, HAS_DOMAIN, '#domain.#state = :before'],
      names: { run: 'run', state: 'state' },
      values: {
        run,
        now: this.#clock(),
        before: state,
        ...(again ? { state: 'waiting_for_dns' satisfies Finding['state'] } : {}),
      },
    });
  }

  /** Marks a domain for removal, also one of a deleted deployment. */
  remove(id: string, domain: string, run: string): Promise<boolean> {
    return this.#change(id, domain, {
      set: ['#domain.#run = :run', '#domain.askedAt = :now', '#domain.#state = :state'],
      conditions: [EXISTS, HAS_DOMAIN],
      names: { run: 'run', state: 'state' },
      values: { run, now: this.#clock(), state: 'removing' satisfies Finding['state'] },
    });
  }

  /** Notes what a run found, unless another run has the domain by now. */
  note(id: string, domain: string, run: string, { state, reason, tenant }: Finding): Promise<boolean> {
    return this.#change(id, domain, {
      set: [
        '#domain.#state = :state',
        ...(reason === undefined ? [] : ['#domain.reason = :reason']),
        ...(tenant === undefined ? [] : ['#domain.tenant = :tenant']),
      ],
      removePaths: reason === undefined ? ['#domain.reason'] : [],
      conditions: [HAS_DOMAIN, IS_RUN],
      names: { run: 'run', state: 'state' },
      values: {
        run,
        state,
        ...(reason === undefined ? {} : { reason }),
        ...(tenant === undefined ? {} : { tenant }),
      },
    });
  }

  /** Removes a domain from a deployment, unless another run has it by now. */
  forget(id: string, domain: string, run: string): Promise<boolean> {
    return this.#change(id, domain, {
      removePaths: ['#domain'],
      conditions: [HAS_DOMAIN, IS_RUN],
      names: { run: 'run' },
      values: { run },
    });
  }

  /** Counts a domain of an owner once. @returns false if the owner has as many as it may */
  async reserve(owner: string, id: string, domain: string, most: number): Promise<boolean> {
    const { input } = new ItemUpdate()
      .add('names', new Set([nameOf(id, domain)]))
      .require('names', 'attribute_not_exists(%) OR size(%) < ? OR contains(%, ?)', most, nameOf(id, domain));
    return (await unlessConditionFails(this.#table.update(ownerKey(owner), input))) !== undefined;
  }

  /** Counts a domain of an owner no more. */
  async release(owner: string, id: string, domain: string): Promise<void> {
    const { input } = new ItemUpdate().delete('names', new Set([nameOf(id, domain)]));
    await this.#table.update(ownerKey(owner), input);
  }

  async #change(id: string, domain: string, update: Update): Promise<boolean> {
    const names = { ...update.names, domain: DOMAIN_PREFIX + domain };
    const { done } = await updatePointer(this.#table, id, { ...update, names }, this.#clock());
    return done;
  }
}

/** Returns the key of the item with an owner's domains. Ids of deployments have no colon. */
const ownerKey = (owner: string) => ({ id: `domains:${owner}` });

function nameOf(id: string, domain: string): string {
  return `${id}/${domain}`;
}
