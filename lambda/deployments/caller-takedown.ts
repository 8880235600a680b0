import type { Deployment } from '../stored/deployment.ts';
import type { DeploymentStore } from './store/deployment-store.ts';

/** A page of a caller whose pages are taken down together. */
export interface CallerPage {
  readonly id: string;
  /** Whose it must be: an anonymous page can have been claimed since. */
  readonly owner: string;
  /** By which the takedown knows it again. */
  readonly mark: string;
}

/** What happened to a page: `alone` if it was taken down on its own. */
export type CallerTakedownOutcome = 'done' | 'alone' | 'claimed' | 'not taken down' | 'unknown';

/** Takes a page down with the rest of its caller. */
export async function takeDownPage(
  { id, owner, mark }: CallerPage,
  decision: Deployment['takenDown'],
  deployments: DeploymentStore,
): Promise<CallerTakedownOutcome> {
  const change = await deployments.takeDownWith(id, mark, owner, decision);
  if (change.done) return 'done';
  if (!change.current) return 'unknown';
  return change.current.owner === owner ? 'alone' : 'claimed';
}

/** Brings a page back that was taken down with the rest of its caller, even if it was claimed since. */
export async function bringBackPage(
  { id, mark }: CallerPage,
  deployments: DeploymentStore,
): Promise<CallerTakedownOutcome> {
  const change = await deployments.bringBackWith(id, mark);
  if (change.done) return 'done';
  if (!change.current) return 'unknown';
  return change.current.takenDown ? 'alone' : 'not taken down';
}
