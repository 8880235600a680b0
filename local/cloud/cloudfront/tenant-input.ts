import * as z from 'zod';
import { CloudFrontError } from './invalidations.ts';
import { parseXml, toObject } from './xml-tree.ts';

const LISTS = ['Domains', 'Parameters', 'Items'];

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

const Tags = z
  .array(z.strictObject({ Key: z.string(), Value: z.string() }))
  .transform((tags) => Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])));

const Parameters = z
  .array(z.strictObject({ Name: z.string(), Value: z.string() }))
  .transform((parameters) => Object.fromEntries(parameters.map(({ Name, Value }) => [Name, Value])));

const Domains = z
  .array(z.strictObject({ Domain: z.string() }))
  .min(1)
  .transform((items) => items.map(({ Domain }) => Domain));

/** The parts of a request that creates a tenant, of which the local cloud supports those with a managed certificate. */
export const CreateTenant = z
  .strictObject({
    DistributionId: z.string(),
    Name: z.string(),
    Domains,
    Tags: z.strictObject({ Items: Tags }).optional(),
    Parameters: Parameters.default({}),
    ConnectionGroupId: z.string(),
    ManagedCertificateRequest: z.strictObject({
      ValidationTokenHost: z.literal('cloudfront'),
      PrimaryDomainName: z.string().optional(),
    }),
    Enabled: flag.default(true),
  })
  .refine(
    ({ Domains: domains, ManagedCertificateRequest: { PrimaryDomainName: name } }) =>
      name === undefined || domains.includes(name),
    'PrimaryDomainName must be one of the domains',
  );

/** The parts of a request that updates a tenant. Of these, the local cloud changes the certificate and whether it is enabled. */
export const UpdateTenant = z.strictObject({
  DistributionId: z.string().optional(),
  Domains: Domains.optional(),
  Parameters: Parameters.optional(),
  ConnectionGroupId: z.string().optional(),
  Customizations: z.strictObject({ Certificate: z.strictObject({ Arn: z.string() }).optional() }).optional(),
  Enabled: flag.optional(),
});

export type UpdateTenant = z.output<typeof UpdateTenant>;

export const VerifyDns = z.strictObject({ Identifier: z.string(), Domain: z.string().optional() });

/** Reads the body of a request. @throws CloudFrontError that names an element that the local cloud does not know */
export function readInput<Schema extends z.ZodType>(schema: Schema, body: Buffer): z.output<Schema> {
  const parsed = schema.safeParse(contentOf(body));
  if (parsed.success) return parsed.data;
  throw new CloudFrontError(400, 'InvalidArgument', z.prettifyError(parsed.error));
}

function contentOf(body: Buffer): unknown {
  try {
    return toObject(parseXml(body.toString())[1], LISTS);
  } catch (error) {
    throw new CloudFrontError(400, 'MalformedInput', (error as Error).message);
  }
}
