import * as z from 'zod';

/** The parameters that a multi-tenant distribution defines. */
export const TenantConfig = z.strictObject({
  ParameterDefinitions: z
    .array(
      z.strictObject({
        Name: z.string(),
        Definition: z.strictObject({
          StringSchema: z.strictObject({
            Comment: z.string().optional(),
            DefaultValue: z.string().optional(),
            Required: z.boolean(),
          }),
        }),
      }),
    )
    .max(5)
    .default([]),
});

export type TenantConfig = z.output<typeof TenantConfig>;

const PARAMETER = /\{\{([^{}]+)\}\}/g;

/** The most parameters in one field. */
const PER_FIELD = 2;

/**
 * What a distribution must not have if it is for tenants. The minimum, default and maximum TTL, forwarded values, trusted signers and
 * identities for origins are unknown to the local cloud anyway.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/distribution-config-options.html#unsupported-saas
 */
const UNSUPPORTED = ['Aliases', 'IPV6Enabled', 'Logging', 'PriceClass'] as const;

interface Config extends Partial<Record<(typeof UNSUPPORTED)[number], unknown>> {
  readonly ConnectionMode: 'direct' | 'tenant-only';
  readonly TenantConfig?: TenantConfig | undefined;
  readonly Origins: readonly { readonly DomainName: string; readonly OriginPath: string }[];
}

/** Returns what is wrong with the parts of a configuration that concern tenants. */
export function tenancyMistakes(config: Config): string[] {
  const defined = config.TenantConfig?.ParameterDefinitions.map(({ Name }) => Name) ?? [];
  const fields = config.Origins.flatMap(({ DomainName, OriginPath }) => [DomainName, OriginPath]);
  const parameters = fields.map(parametersIn);
  const undefinedOnes = parameters.flat().filter((name) => !defined.includes(name));
  const forTenants = config.ConnectionMode === 'tenant-only';
  const unsupported = UNSUPPORTED.filter((field) => isSet(config[field]));
  return [
    ...undefinedOnes.map((name) => `the parameter ${name} is not defined in TenantConfig`),
    ...(parameters.some(({ length }) => length > PER_FIELD)
      ? [`a field has more than ${PER_FIELD} parameters`]
      : []),
    ...(forTenants ? unsupported.map((field) => `a multi-tenant distribution has no ${field}`) : []),
    ...(!forTenants && config.TenantConfig ? ['only a multi-tenant distribution has a TenantConfig'] : []),
  ];
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

function parametersIn(field: string): string[] {
  return [...field.matchAll(PARAMETER)].map(([, name = '']) => name);
}

/** Returns a field of a configuration with the values of its parameters. */
export function withParameters(field: string, values: Readonly<Record<string, string>>): string {
  return field.replace(PARAMETER, (_all, name: string) => values[name] ?? '');
}

/**
 * Returns the values of the parameters of a tenant: its own, and defaults.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/tenant-customization.html#tenant-customize-parameters
 * @throws Error that names an unknown or missing parameter
 */
export function parametersOf(
  { ParameterDefinitions }: TenantConfig,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const known = ParameterDefinitions.map(({ Name }) => Name);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`The parameter ${unknown} is not defined in the distribution`);
  const values = ParameterDefinitions.map(({ Name, Definition }) => {
    const { Required, DefaultValue } = Definition.StringSchema;
    const value = given[Name] ?? (Required ? undefined : DefaultValue);
    if (value === undefined) throw new Error(`The parameter ${Name} is required`);
    return [Name, value] as const;
  });
  return Object.fromEntries(values);
}
