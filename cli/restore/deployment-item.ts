import { DOMAIN_PREFIX } from '../../lambda/stored/custom-domain.ts';
import type { Item } from './items.ts';

/**
 * The attributes that a deployment of the stack keeps when its former state replaces it: decisions against its page, and copies that the
 * edge may have.
 */
const KEPT = ['takenDown', 'access', 'withdrawal', 'hashedNames'];

const RESTORED_DOMAIN = 'The service was restored into another stack: add the domain again';

/** Reports whether an item is the record of a request. It must not be restored: its response belongs to a former state or stack. */
export function isRecordOfRequest(item: Item): boolean {
  return item.id?.S?.startsWith('once:') ?? false;
}

/** Returns the former state of a deployment with the attributes that the stack's own item must keep. */
export function keepingDecisions(former: Item, present: Item): Item {
  const kept = Object.entries(present).filter(([name]) => KEPT.includes(name));
  return { ...former, ...Object.fromEntries(kept) };
}

/** Reports whether a public page becomes private with its former state: the edge may have copies. */
export function becomesPrivate(former: Item, present: Item): boolean {
  return former.access !== undefined && present.access === undefined;
}

/** Returns a deployment of another stack with failed domains, which only that stack's distribution serves. */
export function withoutTenants(item: Item): Item {
  const entries = Object.entries(item).map(([name, value]) => {
    if (!name.startsWith(DOMAIN_PREFIX) || !value.M) return [name, value] as const;
    const { tenant: _, ...domain } = value.M;
    return [name, { M: { ...domain, state: { S: 'failed' }, reason: { S: RESTORED_DOMAIN } } }] as const;
  });
  return Object.fromEntries(entries);
}
