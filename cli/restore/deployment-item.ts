import { DOMAIN_PREFIX } from '../../lambda/stored/custom-domain.ts';
import type { Item } from './items.ts';

/**
 * What a deployment of the stack keeps when it is replaced by what it was: what was decided against its page since then, and what the
 * edge may have of it.
 */
const KEPT = ['takenDown', 'access', 'withdrawal', 'hashedNames'];

const RESTORED_DOMAIN = 'The service was restored in another stack: add the domain again';

/** Reports whether an item must not come back: the record of a request, whose answer was another stack's or is too old. */
export function isRecordOfRequest(item: Item): boolean {
  return item.id?.S?.startsWith('once:') ?? false;
}

/** Returns an item with what the stack's own one must keep. */
export function keepingDecisions(item: Item, present: Item | undefined): Item {
  const kept = KEPT.flatMap((name) => (present?.[name] ? [[name, present[name]] as const] : []));
  return { ...item, ...Object.fromEntries(kept) };
}

/** Returns a deployment of another stack, whose domains that stack's distribution served. */
export function withoutTenants(item: Item): Item {
  const entries = Object.entries(item).map(([name, value]) => {
    if (!name.startsWith(DOMAIN_PREFIX) || !value.M) return [name, value] as const;
    const { tenant: _, ...domain } = value.M;
    return [name, { M: { ...domain, state: { S: 'failed' }, reason: { S: RESTORED_DOMAIN } } }] as const;
  });
  return Object.fromEntries(entries);
}
