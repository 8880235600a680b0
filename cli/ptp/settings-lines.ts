import type { DeploymentResource } from '../../client/client.ts';
import { count } from '../../terminal/text.ts';
import { timestamp } from '../../terminal/time.ts';

type Settings = Partial<Pick<DeploymentResource, 'access' | 'link' | 'copiesUntil' | 'expiresAt'>>;

/**
 * Returns when a page expires, in a line.
 * @param isAnonymous whether a claim would keep it
 */
export function expiryLine({ expiresAt }: Settings, isAnonymous: boolean, now: number): string | undefined {
  if (expiresAt === undefined) return undefined;
  const advice = isAnonymous ? '. With an API key, "ptp claim" keeps it' : '';
  return `It expires in ${span(expiresAt - now)}, at ${timestamp(expiresAt)}${advice}`;
}

/** Returns who may see a page, in lines; none if that is not known. */
export function accessLines({ access, link, copiesUntil = 0 }: Settings, now: number): string[] {
  if (access === undefined) return [];
  const until = link && `, until ${timestamp(link.expiresAt)}`;
  const who = {
    public: 'Everyone can open the page',
    password: 'Only people who know the password can open the page',
    link: `Only people with the link can open the page${until ?? ''}`,
  };
  const copies = `Copies of the public page at the edge are gone by ${timestamp(copiesUntil)}`;
  return [who[access], ...(access !== 'public' && copiesUntil > now ? [copies] : [])];
}

/** Returns a duration in milliseconds as `30 days`, `5 hours` or `2 minutes`. */
function span(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 120) return count(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? count(hours, 'hour') : count(Math.round(hours / 24), 'day');
}
