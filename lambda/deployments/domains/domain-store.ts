import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../platform/clock.ts';
import { Table, unlessConditionFails } from '../../platform/dynamodb.ts';
import { ItemUpdate } from '../../platform/item-update.ts';
import { type CustomDomain, DOMAIN_PREFIX } from '../../stored/custom-domain.ts';
import { type Deployment, readDeployment } from '../../stored/deployment.ts';
import { PointerUpdate } from '../../stored/pointer-update.ts';

/** The result of a step in setting up a domain. */
export interface Finding {
  readonly state: CustomDomain['state'];
  /** Undefined removes it. */
  readonly reason?: string | undefined;
  readonly tenant?: string | undefined;
}

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
    const name = DOMAIN_PREFIX + domain;
    const update = new PointerUpdate(this.#clock()).exists().notDeleted().of(owner);
    return this.#write(id, update.require(name, 'attribute_not_exists(%)').set(name, entry));
  }

  /** Gives a domain another run, which tries again what failed. */
  ask(id: string, { domain, state }: CustomDomain, run: string): Promise<boolean> {
    const name = DOMAIN_PREFIX + domain;
    const update = this.#ask(name, run).notDeleted().require([name, 'state'], '% = ?', state);
    if (state === 'failed') update.set([name, 'state'], 'waiting_for_dns' satisfies Finding['state']);
    return this.#write(id, update);
  }

  /** Marks a domain for removal, also one of a deleted deployment. */
  remove(id: string, domain: string, run: string): Promise<boolean> {
    const name = DOMAIN_PREFIX + domain;
    return this.#write(id, this.#ask(name, run).set([name, 'state'], 'removing' satisfies Finding['state']));
  }

  /** Notes what a run found, unless another run has the domain by now. */
  note(id: string, domain: string, run: string, { state, reason, tenant }: Finding): Promise<boolean> {
    const name = DOMAIN_PREFIX + domain;
    const update = this.#ofRun(name, run).set([name, 'state'], state).assign([name, 'reason'], reason);
    return this.#write(id, tenant === undefined ? update : update.set([name, 'tenant'], tenant));
  }

  /** Removes a domain from a deployment, unless another run has it by now. */
  forget(id: string, domain: string, run: string): Promise<boolean> {
    const name = DOMAIN_PREFIX + domain;
    return this.#write(id, this.#ofRun(name, run).remove(name));
  }

  /** Counts a domain of an owner once. @returns false if the owner has as many as it may */
  async reserve(owner: string, id: string, domain: string, most: number): Promise<boolean> {
    const { input } = new ItemUpdate()
      .add('names', new Set([nameOf(id, domain)]))
      .require('names', '(attribute_not_exists(%) OR size(%) < ? OR contains(%, ?))', most, nameOf(id, domain));
    return (await unlessConditionFails(this.#table.update(ownerKey(owner), input))) !== undefined;
  }

  /** Counts a domain of an owner no more. */
  async release(owner: string, id: string, domain: string): Promise<void> {
    const { input } = new ItemUpdate().delete('names', new Set([nameOf(id, domain)]));
    await this.#table.update(ownerKey(owner), input);
  }

  /** Returns the update that gives a domain another run. */
  #ask(name: string, run: string): PointerUpdate {
    const now = this.#clock();
    const update = new PointerUpdate(now).exists().require(name, 'attribute_exists(%)');
    return update.set([name, 'run'], run).set([name, 'askedAt'], now);
  }

  #ofRun(name: string, run: string): PointerUpdate {
    return new PointerUpdate(this.#clock()).require(name, 'attribute_exists(%)').require([name, 'run'], '% = ?', run);
  }

  async #write(id: string, update: PointerUpdate): Promise<boolean> {
    return (await update.write(this.#table, id)).done;
  }
}

/** Returns the key of the item with an owner's domains. Ids of deployments have no colon. */
const ownerKey = (owner: string) => ({ id: `domains:${owner}` });

function nameOf(id: string, domain: string): string {
  return `${id}/${domain}`;
}
