import type * as z from 'zod';
import { type Identity, isWildcard, NO_LOCAL_EFFECT, RETURN_VALUES, type ReturnValues } from './attributes.ts';
import { type References, resolve } from './intrinsics.ts';
import type { Assembly, Template, TemplateResource } from './template.ts';

/** The local account that the template is deployed to. */
export interface Target {
  readonly accountId: string;
  readonly region: string;
  /** `host:port` that replaces the main distribution's domain name. */
  readonly frontDoor: string;
  /** Returns the value of a secret for a dynamic reference, from its resolved properties. */
  readonly secretValue: (arn: string, properties: unknown) => string;
}

/** A resource of the template with resolved properties. */
export interface Resource<Properties> {
  readonly logicalId: string;
  readonly ref: string;
  readonly properties: Properties;
  readonly attribute: (name: string) => string;
}

/** The supported sections, and for some the supported members. */
const SECTIONS: Readonly<Record<string, readonly string[] | 'any'>> = {
  AWSTemplateFormatVersion: 'any',
  Description: 'any',
  Metadata: 'any',
  Resources: 'any',
  Conditions: 'any',
  Outputs: 'any',
  Parameters: ['BootstrapVersion'],
  Rules: ['CheckBootstrapVersion'],
};

/**
 * A template in its target: resolves references lazily and returns resources by type, checked against a
 * schema of the properties that the local cloud supports. Anything unsupported is an error that names it.
 */
export class Stack {
  readonly target: Target;
  readonly assembly: Assembly;
  private readonly claimed = new Set(Object.keys(NO_LOCAL_EFFECT));
  private readonly returnValues = new Map<string, ReturnValues>();
  private readonly addresses: readonly (readonly [https: string | RegExp, local: string])[];
  private readonly refs: References = {
    ref: (name) => this.pseudoParameter(name) ?? (name === 'AWS::NoValue' ? undefined : this.valuesOf(name).ref),
    getAtt: (logicalId, attribute) => this.attribute(logicalId, attribute),
    condition: (name) => this.condition(name),
    text: (value) => this.text(value),
  };

  constructor(assembly: Assembly, target: Target) {
    this.assembly = assembly;
    this.target = target;
    this.addresses = localAddresses(assembly.template, target.frontDoor);
    for (const [section, value] of Object.entries(assembly.template)) {
      const known = SECTIONS[section];
      if (known === undefined) throw new Error(`The template section ${section} is not supported`);
      if (known === 'any') continue;
      const unknown = Object.keys(value as object).filter((member) => !known.includes(member));
      if (unknown.length > 0)
        throw new Error(`The local cloud does not support these ${section}: ${unknown.join(', ')}`);
    }
  }

  /** Returns all resources of a type, with resolved and checked properties, and marks the type as supported. */
  all<Schema extends z.ZodType>(type: string, schema: Schema): Resource<z.output<Schema>>[] {
    this.claimed.add(type);
    return this.present()
      .filter(([, resource]) => resource.Type === type)
      .map(([logicalId, resource]) => ({
        logicalId,
        ref: RETURN_VALUES[type] === undefined ? logicalId : this.valuesOf(logicalId).ref,
        properties: this.checked(logicalId, resource, schema),
        attribute: (name) => String(this.attribute(logicalId, name)),
      }));
  }

  /** Returns the logical and the physical ids of all resources of a type. */
  ids(type: string): { readonly logicalId: string; readonly ref: string }[] {
    return this.present()
      .filter(([, { Type }]) => Type === type)
      .map(([logicalId]) => ({ logicalId, ref: this.valuesOf(logicalId).ref }));
  }

  /** Reports whether a resource is retained when the stack is deleted. */
  isRetained(logicalId: string): boolean {
    return /^Retain/.test(this.assembly.template.Resources[logicalId]?.DeletionPolicy ?? '');
  }

  /** Returns the resolved outputs of the stack. */
  outputs(): Record<string, string> {
    const outputs = (this.assembly.template.Outputs ?? {}) as Record<string, { Value: unknown }>;
    return Object.fromEntries(
      Object.entries(outputs).map(([name, { Value }]) => [name, String(resolve(Value, this.refs))]),
    );
  }

  /** @throws Error when the template has a resource whose type was not read with `all` */
  refuseUnknownTypes(): void {
    const unknown = this.present().filter(([, { Type }]) => !this.claimed.has(Type));
    if (unknown.length === 0) return;
    const named = unknown.map(([logicalId, { Type }]) => `${logicalId} (${Type})`).join(', ');
    throw new Error(`The local cloud does not support these resources of the template: ${named}`);
  }

  private present(): [string, TemplateResource][] {
    return Object.entries(this.assembly.template.Resources).filter(
      ([, { Condition }]) => Condition === undefined || this.condition(Condition),
    );
  }

  private checked<Schema extends z.ZodType>(
    logicalId: string,
    resource: TemplateResource,
    schema: Schema,
  ): z.output<Schema> {
    const where = `${logicalId} (${resource.Type})`;
    let properties: unknown;
    try {
      properties = resolve(resource.Properties ?? {}, this.refs);
    } catch (error) {
      throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
    }
    const result = schema.safeParse(properties);
    if (result.success) return result.data;
    const problems = result.error.issues.map((issue) => `${issue.path.join('.') || 'properties'}: ${issue.message}`);
    throw new Error(`The local cloud does not support ${where}: ${problems.join('; ')}`);
  }

  private valuesOf(logicalId: string): ReturnValues {
    const known = this.returnValues.get(logicalId);
    if (known !== undefined) return known;
    const resource = this.assembly.template.Resources[logicalId];
    if (resource === undefined) throw new Error(`the template has no resource or parameter "${logicalId}"`);
    const define = RETURN_VALUES[resource.Type];
    if (define === undefined) throw new Error(`a reference to ${logicalId} (${resource.Type}) is unsupported`);
    const identity: Identity = {
      stackName: this.assembly.stackName,
      logicalId,
      accountId: this.target.accountId,
      region: this.target.region,
      frontDoor: this.target.frontDoor,
      property: (name) => resolve(resource.Properties?.[name], this.refs),
    };
    const values = define(identity);
    this.returnValues.set(logicalId, values);
    return values;
  }

  private attribute(logicalId: string, name: string): unknown {
    const value = this.valuesOf(logicalId).attributes?.[name];
    if (value !== undefined) return value;
    const type = this.assembly.template.Resources[logicalId]?.Type;
    throw new Error(`Fn::GetAtt of ${logicalId}.${name} (${type}) is not supported`);
  }

  private pseudoParameter(name: string): string | undefined {
    const { accountId, region } = this.target;
    const values: Record<string, string> = {
      'AWS::AccountId': accountId,
      'AWS::Region': region,
      'AWS::Partition': 'aws',
      'AWS::URLSuffix': 'amazonaws.com',
      'AWS::StackName': this.assembly.stackName,
      'AWS::StackId': `arn:aws:cloudformation:${region}:${accountId}:stack/${this.assembly.stackName}/local`,
    };
    return values[name];
  }

  private condition(name: string): boolean {
    const definition = this.assembly.template.Conditions?.[name];
    if (definition === undefined) throw new Error(`the condition "${name}" is not defined`);
    return Boolean(resolve(definition, this.refs));
  }

  /** Replaces dynamic references and local addresses in a string. */
  private text(value: string): string {
    const filled = value.replace(/\{\{(resolve:[^}]+)\}\}/g, (_all, reference: string) =>
      this.dynamicReference(reference),
    );
    return this.addresses.reduce((text, [https, local]) => text.replaceAll(https, local), filled);
  }

  /** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references-secretsmanager.html */
  private dynamicReference(reference: string): string {
    const match = /^resolve:secretsmanager:(arn:.+:secret:[^:]+):SecretString:([^:]*)(?::(?:AWSCURRENT)?:?)?$/.exec(
      reference,
    );
    const [, arn, jsonKey] = match ?? [];
    if (arn === undefined) throw new Error(`the dynamic reference {{${reference}}} is not supported`);
    const secret = this.present().find(
      ([logicalId, { Type }]) => Type === 'AWS::SecretsManager::Secret' && this.valuesOf(logicalId).ref === arn,
    );
    if (secret === undefined) throw new Error(`{{${reference}}} is not a secret of this template`);
    const text = this.target.secretValue(arn, resolve(secret[1].Properties ?? {}, this.refs));
    if (!jsonKey) return text;
    const value = (JSON.parse(text) as Record<string, unknown>)[jsonKey];
    if (value === undefined) throw new Error(`{{${reference}}}: the secret has no key ${jsonKey}`);
    return String(value);
  }
}

/**
 * Returns the local replacements of `https://` addresses of distributions and user pool domains. The front door serves
 * all of them over plain HTTP on its own port.
 */
function localAddresses({ Resources }: Template, frontDoor: string): [https: string | RegExp, local: string][] {
  const port = new URL(`http://${frontDoor}`).port;
  const wildcards = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::CloudFront::Distribution')
    .flatMap(({ Properties }) => (Properties?.DistributionConfig as { Aliases?: unknown[] })?.Aliases ?? [])
    // Nothing can be resolved yet, but custom domain names are literals from the configuration.
    .filter((alias) => typeof alias === 'string' && isWildcard(alias));
  return [
    [`https://${frontDoor}`, `http://${frontDoor}`],
    [/https:\/\/[a-z0-9-]+\.auth\.[a-z0-9-]+\.amazoncognito\.com\/oauth2/g, `http://${frontDoor}/oauth`],
    ...wildcards.map((alias): [string, string] => [`https://${alias}`, `http://${alias}:${port}`]),
  ];
}
