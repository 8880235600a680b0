import { ANONYMOUS } from '../../stored/deployment-owner.ts';

/** A look at a version that became live: the input of the state machine. */
export interface VersionLook {
  readonly id: string;
  readonly version: string;
  /** Whose function instances look, as `Looker.look` has it. */
  readonly tenant: string;
  /** Unix milliseconds of the rollback that made it live; absent after a deploy. */
  readonly rolledBackAt?: number | undefined;
}

/** Names an execution, so that a deploy that is repeated is looked at once. */
export function lookName({ id, version, rolledBackAt }: VersionLook): string {
  return rolledBackAt === undefined ? `${id}-${version}` : `${id}-${version}-${rolledBackAt}`;
}

/**
 * Returns for whom a deployment is looked at. An execution is kept for months: an address is not for its input, so that each
 * anonymous deployment is a tenant.
 * @param tenant for whom the deployment is built, as `Builder.build` has it
 */
export function lookTenant(tenant: string, id: string): string {
  return tenant === ANONYMOUS || tenant.startsWith('address:') ? `deployment:${id}` : tenant;
}
