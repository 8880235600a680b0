import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ApiError } from '../aws-http.ts';
import type { Distribution, DistributionSettings } from './distribution.ts';
import { randomMs } from './invalidations.ts';
import { parametersOf } from './properties.ts';
import { type ConnectionGroups, Tenant, type TenantRecord, type TenantState } from './tenant.ts';

/** The properties of a new tenant. */
interface NewTenant
  extends Pick<TenantRecord, 'name' | 'distributionId' | 'connectionGroupId' | 'domains' | 'parameters' | 'tags'> {
  readonly enabled: boolean;
}

interface TenantServices {
  readonly accountId: string;
  /** The file that keeps tenants while the local cloud does not run. */
  readonly file: string;
  readonly distributions: readonly Distribution[];
  readonly groups: ConnectionGroups;
  readonly settings: DistributionSettings;
}

/** The time that ACM takes to validate a domain and to issue its certificate. On AWS, these are minutes. */
const ISSUE_SECONDS = [1, 5] as const;

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9-.]{1,126}[a-zA-Z0-9]$/;
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** AWS's message. https://github.com/aws/aws-sdk-php/issues/3129 */
const NOT_POINTED =
  'The provided Domain Name is not valid. Could not verify Domain Name ownership. It may not be pointing to a valid CloudFront resource.';

/** The distribution tenants, which exist beside the template: the API creates them. */
export class Tenants {
  private readonly services: TenantServices;
  private readonly all: Map<string, Tenant>;

  constructor(services: TenantServices) {
    this.services = services;
    const restored = readTenants(services.file).flatMap((stored) => this.restored(stored) ?? []);
    this.all = new Map(restored.map((tenant) => [tenant.record.id, tenant]));
  }

  /** Returns the ARN of a tenant, even if it does not exist. */
  arn(id: string): string {
    return `arn:aws:cloudfront::${this.services.accountId}:distribution-tenant/${id}`;
  }

  /** @param identifier its id, name or ARN */
  find(identifier: string): Tenant | undefined {
    const id = identifier.split('/').at(-1) ?? '';
    return this.all.get(id) ?? [...this.all.values()].find(({ record }) => record.name === identifier);
  }

  findByDomain(domain: string): Tenant | undefined {
    return [...this.all.values()].find(({ record }) => record.domains.includes(domain));
  }

  /** Reports whether requests for a host reach CloudFront because of a connection group. */
  receive(host: string): boolean {
    return this.services.groups.receive(host);
  }

  /**
   * Creates a tenant, whose certificate CloudFront requests and validates: its domain must point to CloudFront already.
   * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_CreateDistributionTenant.html
   * @throws ApiError
   */
  create(id: string, given: NewTenant): Tenant {
    const { enabled, ...described } = given;
    const { distribution, group } = this.requireParents(given);
    this.refuseInvalid(given, distribution);
    this.refuseTaken(given);
    if (given.domains.some((domain) => !this.services.groups.isPointedToBy(domain, group)))
      throw new ApiError(400, 'InvalidArgument', NOT_POINTED);
    const now = Date.now();
    const readyAt = now + randomMs(this.services.settings.updateSeconds?.effect ?? ISSUE_SECONDS);
    const arn = `arn:aws:acm:us-east-1:${this.services.accountId}:certificate/${randomUUID()}`;
    const certificate = { arn, readyAt, issued: false };
    const record = { ...described, id, createdAt: now, modifiedAt: now, certificate };
    const tenant = new Tenant(record, distribution, group, this.services.settings);
    tenant.state.change({ enabled });
    this.all.set(id, tenant);
    this.save();
    return tenant;
  }

  /** @throws ApiError unless `ifMatch` is the current ETag, or if a certificate is given that is not issued */
  update(tenant: Tenant, state: TenantState, ifMatch: string | undefined): void {
    tenant.state.requireMatch(ifMatch);
    const { certificateArn = tenant.state.configured?.certificateArn } = state;
    const { certificate } = tenant.record;
    if (certificateArn !== undefined && (certificateArn !== certificate.arn || !this.isIssued(tenant)))
      throw new ApiError(400, 'InvalidArgument', `The certificate ${certificateArn} is not issued`);
    tenant.state.change({ enabled: state.enabled, certificateArn });
    tenant.record.modifiedAt = Date.now();
    this.save();
  }

  /** @throws ApiError unless `ifMatch` is the current ETag and the tenant is disabled everywhere */
  delete(tenant: Tenant, ifMatch: string | undefined): void {
    tenant.state.requireMatch(ifMatch);
    if (tenant.enabled || tenant.state.status !== 'Deployed')
      throw new ApiError(409, 'ResourceNotDisabled', 'The distribution tenant has not been disabled yet');
    this.all.delete(tenant.record.id);
    this.save();
  }

  /** Reports whether the managed certificate of a tenant is issued. */
  isIssued({ record }: Tenant): boolean {
    const { certificate } = record;
    if (certificate.issued) return true;
    if (certificate.readyAt > Date.now() || !this.pointsHere(record)) return false;
    certificate.issued = true;
    this.save();
    return true;
  }

  /** Reports whether the domains of a tenant point to its connection group. */
  pointsHere({ domains, connectionGroupId }: TenantRecord): boolean {
    const group = this.services.groups.find(connectionGroupId);
    return group !== undefined && domains.every((domain) => this.services.groups.isPointedToBy(domain, group));
  }

  private requireParents({ distributionId, connectionGroupId }: NewTenant) {
    const distribution = this.services.distributions.find(({ id }) => id === distributionId);
    const group = this.services.groups.find(connectionGroupId);
    if (distribution === undefined || group === undefined)
      throw new ApiError(404, 'EntityNotFound', 'The distribution or the connection group was not found');
    if (distribution.config.ConnectionMode !== 'tenant-only')
      throw new ApiError(400, 'InvalidAssociation', `${distributionId} is not a multi-tenant distribution`);
    return { distribution, group };
  }

  private refuseInvalid({ name, domains, parameters }: NewTenant, { config }: Distribution): void {
    const wrong = !NAME.test(name) ? name : domains.find((domain) => !DOMAIN.test(domain));
    if (wrong !== undefined) throw new ApiError(400, 'InvalidArgument', `Invalid name: ${wrong}`);
    try {
      parametersOf(config.TenantConfig ?? { ParameterDefinitions: [] }, parameters);
    } catch (error) {
      throw new ApiError(400, 'InvalidArgument', (error as Error).message);
    }
  }

  private refuseTaken({ name, domains }: NewTenant): void {
    if (this.find(name) !== undefined)
      throw new ApiError(409, 'EntityAlreadyExists', `There is a distribution tenant ${name}`);
    const aliases = this.services.distributions.flatMap((distribution) => distribution.aliases);
    const taken = domains.find((domain) => this.findByDomain(domain) ?? aliases.includes(domain));
    if (taken === undefined) return;
    const message = `One or more of the CNAMEs you provided are already associated with a different resource: ${taken}`;
    throw new ApiError(409, 'CNAMEAlreadyExists', message);
  }

  /** Returns a tenant of an earlier run, or undefined if its distribution or connection group left the template. */
  private restored({ record, state }: StoredTenant): Tenant | undefined {
    const distribution = this.services.distributions.find(({ id }) => id === record.distributionId);
    const group = this.services.groups.find(record.connectionGroupId);
    return distribution && group && new Tenant(record, distribution, group, this.services.settings, state);
  }

  private save(): void {
    const { file } = this.services;
    const stored: StoredTenant[] = [...this.all.values()].map(({ record, state }) => ({
      record,
      state: state.configured ?? { enabled: false },
    }));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(stored, null, 2)}\n`);
  }
}

/** A tenant between two runs of the local cloud. */
interface StoredTenant {
  readonly record: TenantRecord;
  readonly state: TenantState;
}

function readTenants(file: string): StoredTenant[] {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}
