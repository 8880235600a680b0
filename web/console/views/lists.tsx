import type { ListedAsset, ListedDeployment, ListedGeneration } from '../../../client/client.ts';
import { picturesOfGeneration } from '../state/pictures.ts';
import { plural, timeUntil, useConsole } from './console.ts';
import { type First, List } from './list.tsx';

export function DeploymentList({ first }: First<ListedDeployment>) {
  const { context, data } = useConsole();
  const { deployments } = context.client;
  return (
    <List
      title="Deployments"
      empty="This key has deployed nothing yet."
      first={first}
      next={(cursor) => deployments.list({ cursor })}
      rowOf={({ id, url, title, fileCount, deployedAt, status, access, expiresAt }) => ({
        id,
        title: title ?? url,
        href: url,
        at: deployedAt,
        about: [
          plural(fileCount, 'file'),
          ...(access === 'public' ? [] : ['private']),
          ...(expiresAt === undefined ? [] : [`expires ${timeUntil(expiresAt, Date.now())}`]),
        ].join(' · '),
        pictures: data.looks ? { deployment: id } : undefined,
        ...(status === 'taken_down' && { badge: 'taken down by the operator' }),
        remove: () => deployments.delete(id),
      })}
    />
  );
}

export function GenerationList({ first }: First<ListedGeneration>) {
  const { generations } = useConsole().context.client;
  return (
    <List
      title="Generations"
      empty="This key has generated nothing in the last 24 hours."
      first={first}
      next={(cursor) => generations.list({ cursor })}
      rowOf={({ id, prompt, status, fileCount, createdAt, look }) => ({
        id,
        title: prompt,
        href: `#g=${id}`,
        at: createdAt,
        about: plural(fileCount, 'file'),
        badge: status.replace('_', ' '),
        pictures: picturesOfGeneration(id, look),
      })}
    />
  );
}

export function AssetList({ first }: First<ListedAsset>) {
  const { assets } = useConsole().context.client;
  return (
    <List
      title="Assets"
      empty="This key has no assets."
      first={first}
      next={(cursor) => assets.list({ cursor })}
      rowOf={({ attributes: { name, type, size }, asset_id, state, updated_at }) => {
        const about = [type ?? 'unknown type', ...(size === undefined ? [] : [plural(size, 'byte')])];
        return {
          id: asset_id,
          title: name ?? asset_id,
          at: updated_at,
          about: about.join(' · '),
          badge: state,
        };
      }}
    />
  );
}
