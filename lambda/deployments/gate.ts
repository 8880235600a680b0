import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Clock } from '../platform/clock.ts';
import { type ItemPage, OwnedItems, type PageRequest, Table, unlessConditionFails } from '../platform/dynamodb.ts';
import { ENV, json } from '../platform/env.ts';
import { ItemUpdate } from '../platform/item-update.ts';
import { emitMetrics, log } from '../platform/log.ts';
import type { Gatekeeper } from '../sites/gate/gatekeeper.ts';
import type { Deployment, Version } from '../stored/deployment.ts';
import { ANONYMOUS } from '../stored/deployment-owner.ts';
import { boundOf, type GateBounds, gateBounds, isHeld } from '../stored/held.ts';
import type { Origins } from './resource.ts';

/** Assesses deploys, and decides which pages are held. */
export interface StageGate {
  readonly bounds: GateBounds;
  readonly assess: Gatekeeper;
}

/** The environment of functions that deploy. */
export const GATE_ENV = {
  [ENV.gate]: json(gateBounds).optional(),
  [ENV.badUrls]: z.string().optional(),
};

/** Returns the gate of a stage, or undefined if it has none. Its rules and its list are loaded with the first deploy. */
export function gateOf(
  { GATE: bounds, BAD_URLS: list }: { readonly GATE?: GateBounds | undefined; readonly BAD_URLS?: string | undefined },
  { baseUrl, siteOrigin }: Origins,
): StageGate | undefined {
  if (!bounds) return undefined;
  let loaded: Promise<Gatekeeper> | undefined;
  return {
    bounds,
    assess: async (files, entry) => {
      loaded ??= load(list, ownHosts(baseUrl, siteOrigin));
      return (await loaded)(files, entry);
    },
  };
}

const ownHosts = (...urls: readonly (string | undefined)[]): string[] =>
  urls.flatMap((url) => (url === undefined ? [] : new URL(url.replace('*.', '')).hostname));

async function load(list: string | undefined, hosts: readonly string[]): Promise<Gatekeeper> {
  const { gatekeeper, listedUrls } = await import('../sites/gate/gatekeeper.ts');
  return gatekeeper(hosts, listedUrls(list ? readFileSync(join(import.meta.dirname, list), 'utf8') : ''));
}

/** The longest text about a held page: it is a header, and part of the state of an execution. */
const LONGEST = 500;

/** Returns why a version is held and what its owner can do, in one line of ASCII; undefined if it is not held. */
export function heldWarning(
  deployment: Pick<Deployment, 'owner' | 'released'>,
  version: Pick<Version, 'gate'>,
  gate: StageGate | undefined,
): string | undefined {
  if (!gate || !version.gate || !isHeld(deployment, version, gate.bounds)) return undefined;
  const { points, reasons } = version.gate;
  const isAnonymous = deployment.owner === ANONYMOUS;
  const claim = isAnonymous ? 'claim it with an API key, ' : '';
  const why = reasons.slice(0, 3).map(({ path, reason }) => `${path}: ${reason}`);
  const text = `The page is held for review, and visitors get a 403: it has ${points} points of the gate, and pages ${isAnonymous ? 'without an owner' : 'of keys'} may have ${boundOf(deployment, gate.bounds)}. To make it public, ${claim}deploy other files, or ask the operator for a review. ${why.join('; ')}`;
  return text.replace(/[^\x20-\x7e]+/g, '?').slice(0, LONGEST);
}

/** The list of deployments that wait for the operator. No caller has an id with this character. */
const HELD = '#held';

const PREFIX = 'held:';

/** Returns the id of the item that has a deployment in the list; ids of deployments have no colon. */
const heldId = (deployment: string) => PREFIX + deployment;

/** A deployment that is held, and since when, in Unix milliseconds. */
interface HeldDeployment {
  readonly id: string;
  readonly createdAt: number;
}

/** The deployments that are held, in the table of deployments. */
export class HeldList {
  readonly #table: Table;
  readonly #items: OwnedItems;

  constructor(db: DynamoDBDocumentClient, table: string) {
    this.#table = new Table(db, table);
    this.#items = new OwnedItems(db, table, { id: 'id', owner: 'listOwner' });
  }

  /** Returns a page of the list, the last one first. */
  async page(request: Omit<PageRequest, 'owner'>): Promise<ItemPage<HeldDeployment>> {
    const { items, next } = await this.#items.page({ ...request, owner: HELD });
    const held = items.map(({ id, createdAt }) => ({
      id: String(id).slice(PREFIX.length),
      createdAt: Number(createdAt),
    }));
    return { items: held, next };
  }

  /** Returns since when a deployment is in the list, in Unix milliseconds; undefined if it is not. */
  async since(deployment: string): Promise<number | undefined> {
    const item = await this.#table.get<HeldDeployment>({ id: heldId(deployment) });
    return item?.createdAt;
  }

  /** Removes a deployment from the list, unless it was put there again since then. @param since when it was in the list */
  async remove(deployment: string, since: number): Promise<void> {
    const unchanged = {
      ConditionExpression: 'createdAt = :since',
      ExpressionAttributeValues: { ':since': since },
    };
    await unlessConditionFails(this.#table.delete({ id: heldId(deployment) }, unchanged));
  }

  /** Puts a held page on the list, or moves it to its beginning. @param now in Unix milliseconds */
  async add(deployment: string, now: number): Promise<void> {
    const { input } = new ItemUpdate().set('listOwner', HELD).set('createdAt', now);
    await this.#table.update({ id: heldId(deployment) }, input);
  }

  /** Takes a page off the list. Its item stays, because functions that deploy may not delete items. */
  async takeOff(deployment: string): Promise<void> {
    const { input } = new ItemUpdate().remove('listOwner').remove('createdAt');
    await this.#table.update({ id: heldId(deployment) }, input);
  }
}

/**
 * Puts a page that is held on the operator's list, and takes one off that was held before. Errors are only logged: the
 * page is held or public, whatever the list contains.
 */
export async function noteHeld(
  id: string,
  { was, is }: { readonly was: boolean; readonly is: boolean },
  list: Pick<HeldList, 'add' | 'takeOff'>,
  clock: Clock,
): Promise<void> {
  if (!was && !is) return;
  if (is && !was) emitMetrics('Count', { PagesHeld: 1 });
  await (is ? list.add(id, clock()) : list.takeOff(id)).catch((error: unknown) =>
    log.error('list of held pages not changed', { deployment: id, isHeld: is, error }),
  );
}
