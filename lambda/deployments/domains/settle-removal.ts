import type { CustomDomain } from '../../stored/custom-domain.ts';
import type { Deployment } from '../../stored/deployment.ts';
import type { Tenant } from '../../stored/tenant.ts';
import type { Outcome, SettlePorts } from './settle-ports.ts';
import type { Tenants } from './tenants.ts';

/** Removes the tenant of a domain and then, unless the domain failed, the domain. */
export async function retire(
  { id, owner, deletedAt }: Deployment,
  { domain, run, state }: CustomDomain,
  { domains, tenants }: SettlePorts,
): Promise<Outcome> {
  const tenant = await tenants.find(domain);
  if (tenant?.deployment === id && !(await isGone(tenant, domain, tenants))) {
    // The life of a deployment ends without a request for its domains.
    if (state !== 'removing' && state !== 'failed')
      await domains.note(id, domain, run, { state: 'removing' });
    return 'again';
  }
  if (state === 'failed' && deletedAt === undefined) return 'done';
  if (await domains.forget(id, domain, run)) await domains.release(owner, id, domain);
  return 'done';
}

/**
 * Takes the next step of removing a tenant: CloudFront deletes it only after it is disabled everywhere.
 * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_DeleteDistributionTenant.html
 * @returns whether it is gone
 */
export async function isGone(tenant: Tenant, domain: string, tenants: Tenants): Promise<boolean> {
  if (!tenant.enabled) return tenant.isDeployed && tenants.delete(tenant);
  const { certificateArn } = tenant;
  await tenants.update(tenant, domain, { enabled: false, certificateArn });
  return false;
}
