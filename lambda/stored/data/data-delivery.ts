import type { Delivery } from '../../contract/responses/webhooks.ts';
import type { Item } from '../../sites/data/store.ts';
import type { Deployment } from '../deployment.ts';
import { ANONYMOUS } from '../deployment-owner.ts';

/**
 * Returns the notification of an item that a visitor created, or undefined if the owner wants none. It names the item, and has none
 * of its fields: executions of deliveries are kept for 90 days, even if the item is deleted.
 */
export function dataDelivery(
  { id, owner, dataWebhook }: Pick<Deployment, 'id' | 'owner' | 'dataWebhook'>,
  collection: string,
  item: Pick<Item, 'id' | 'createdAt'>,
): Delivery | undefined {
  if (dataWebhook === undefined || owner === ANONYMOUS) return undefined;
  const url = `/api/v1/deployments/${id}/data/${collection}/${item.id}`;
  return {
    id: `data-${id}-${item.id}`.slice(0, 80),
    url: dataWebhook,
    owner,
    event: {
      type: 'data.created',
      timestamp: new Date(item.createdAt).toISOString(),
      data: { id, collection, item: item.id, url },
    },
  };
}
