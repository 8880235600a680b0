import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import type { TenantRecord, TenantState } from './tenant.ts';

/** A tenant between two runs of the local cloud. */
export interface StoredTenant {
  readonly record: TenantRecord;
  readonly state: TenantState;
}

const Strings = z.record(z.string(), z.string());

const Stored = z.array(
  z.strictObject({
    record: z.strictObject({
      id: z.string(),
      name: z.string(),
      distributionId: z.string(),
      connectionGroupId: z.string(),
      domains: z.array(z.string()),
      parameters: Strings,
      tags: Strings,
      createdAt: z.number(),
      modifiedAt: z.number(),
      certificate: z.strictObject({ arn: z.string(), readyAt: z.number(), issued: z.boolean() }),
    }),
    state: z.strictObject({ enabled: z.boolean(), certificateArn: z.string().optional() }),
  }),
);

/** Reads the tenants of a file. @throws Error if it is invalid */
export function readTenants(file: string): StoredTenant[] {
  return existsSync(file) ? Stored.parse(JSON.parse(readFileSync(file, 'utf8'))) : [];
}

export function writeTenants(file: string, tenants: readonly StoredTenant[]): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(tenants, null, 2)}\n`);
}
