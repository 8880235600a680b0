import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ApiError } from './aws-http.ts';
import { noLocalEffect } from './template/template.ts';

/** A version of a secret; without a label (`stages`), it is deprecated and dropped. */
interface SecretVersion {
  readonly id: string;
  readonly value: string;
  readonly stages: readonly string[];
}

/** The response to GetSecretValue. */
interface SecretValue {
  readonly ARN: string;
  readonly VersionId: string;
  readonly SecretString: string;
  readonly VersionStages: readonly string[];
}

const CURRENT = 'AWSCURRENT';
const PREVIOUS = 'AWSPREVIOUS';

/**
 * The secrets of the template, with their versions, and environment variables in place of those that operators create
 * on AWS. Values that were put are stored in the state folder; the first value of a secret derives from the folder's
 * key.
 */
export class SecretsManager {
  private readonly secrets: Secrets;
  private readonly file: string;
  private readonly arnOf: (id: string) => string;
  private readonly put: Record<string, readonly SecretVersion[]>;
  /** The properties of the template's secrets by ARN. */
  private ofTemplate: ReadonlyMap<string, unknown> = new Map();

  constructor(secrets: Secrets, stateDir: string, arnOf: (id: string) => string) {
    this.secrets = secrets;
    this.file = join(stateDir, 'secrets.json');
    this.arnOf = arnOf;
    this.put = existsSync(this.file) ? JSON.parse(readFileSync(this.file, 'utf8')) : {};
  }

  /**
   * Adds the secrets of the template, with resolved properties. Retained secrets are stored, since other stacks in the
   * state folder do not have them in their templates.
   */
  add(secrets: readonly { readonly ref: string; readonly properties: unknown; readonly retained?: boolean }[]): void {
    this.ofTemplate = new Map(secrets.map(({ ref, properties }) => [ref, properties]));
    for (const { ref, retained } of secrets)
      if (retained && this.put[ref] === undefined) this.store(ref, this.versions(ref));
  }

  /** Returns the value with which CloudFormation replaces a dynamic reference to a secret of the template. */
  current(arn: string, properties: unknown): string {
    const put = this.put[arn]?.find(({ stages }) => stages.includes(CURRENT));
    return put?.value ?? this.secrets.secretString(arn, properties);
  }

  /** Returns the ARN of a secret by its name or ARN, even if the secret does not exist. */
  arn(id: string): string {
    return this.arnOf(id);
  }

  /** https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html */
  get(id: string, stage = CURRENT): SecretValue {
    const version = this.versions(id).find(({ stages }) => stages.includes(stage));
    if (version) return this.described(id, version);
    throw new ApiError(
      400,
      'ResourceNotFoundException',
      `Secrets Manager can't find the specified secret value for staging label: ${stage}`,
    );
  }

  /**
   * Adds a version. Its labels move from other versions to it, and the version that was current becomes the previous
   * one.
   * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html
   * @param token the id of the version, by default a random one. A repeated call with the same value changes nothing
   */
  putValue(
    id: string,
    value: string,
    stages: readonly string[] = [CURRENT],
    token: string = randomUUID(),
  ): SecretValue {
    const versions = this.versions(id);
    const same = versions.find((one) => one.id === token);
    if (same && same.value !== value)
      throw new ApiError(400, 'ResourceExistsException', `A version with the id ${token} has another value`);
    if (same) return this.described(id, same);
    const added = { id: token, value, stages: [] };
    const labeled = stages.reduce<readonly SecretVersion[]>(
      (all, stage) => moveLabel(all, stage, token),
      [...versions, added],
    );
    this.store(id, labeled);
    return this.get(id, stages[0]);
  }

  /**
   * Moves a label to a version.
   * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecretVersionStage.html
   */
  moveStage(id: string, stage: string, to: string, from: string | undefined): void {
    const versions = this.versions(id);
    if (!versions.some((one) => one.id === to))
      throw new ApiError(400, 'ResourceNotFoundException', `There is no version ${to}`);
    const holder = versions.find(({ stages }) => stages.includes(stage));
    if (holder && holder.id !== to && holder.id !== from)
      throw new ApiError(
        400,
        'InvalidParameterException',
        `The staging label ${stage} is attached to the version ${holder.id}: name it as RemoveFromVersionId`,
      );
    this.store(id, moveLabel(versions, stage, to));
  }

  private versions(id: string): readonly SecretVersion[] {
    const arn = this.arnOf(id);
    const put = this.put[arn];
    if (put) return put;
    const value = this.ofTemplate.has(arn) ? this.secrets.secretString(arn, this.ofTemplate.get(arn)) : process.env[id];
    if (!value)
      throw new ApiError(400, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    return [{ id: this.secrets.derive(`version of ${arn}`, 32, '0123456789abcdef'), value, stages: [CURRENT] }];
  }

  private store(id: string, versions: readonly SecretVersion[]): void {
    this.put[this.arnOf(id)] = versions.filter(({ stages }) => stages.length > 0);
    writeFileSync(this.file, `${JSON.stringify(this.put, null, 2)}\n`, { mode: 0o600 });
  }

  private described(id: string, { id: VersionId, value, stages }: SecretVersion): SecretValue {
    return { ARN: this.arnOf(id), VersionId, SecretString: value, VersionStages: stages };
  }
}

/** Returns the versions with a label on that with the id only; the one that loses AWSCURRENT gets AWSPREVIOUS. */
function moveLabel(versions: readonly SecretVersion[], stage: string, to: string): readonly SecretVersion[] {
  const before = versions.find(({ stages }) => stages.includes(stage));
  if (before?.id === to) return versions;
  const moved = versions.map((one) => {
    const others = one.stages.filter((label) => label !== stage);
    return { ...one, stages: one.id === to ? [...others, stage] : others };
  });
  return stage === CURRENT && before ? moveLabel(moved, PREVIOUS, before.id) : moved;
}

/**
 * Derives all secrets of a local account (access keys, Secrets Manager values) from one random key in the
 * state folder, so that they survive a restart.
 */
export class Secrets {
  private readonly key: string;

  constructor(stateDir: string) {
    const path = join(stateDir, 'key');
    mkdirSync(stateDir, { recursive: true });
    try {
      writeFileSync(path, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    this.key = readFileSync(path, 'utf8');
  }

  /** Returns `length` characters of `alphabet`, always the same for a `label`. */
  derive(label: string, length: number, alphabet: string): string {
    let text = '';
    for (let block = 0; text.length < length; block += 1) {
      const bytes = createHmac('sha256', this.key).update(`${label}/${block}`).digest();
      // Drops bytes beyond the last multiple of the alphabet's length, which would bias the result.
      const fair = bytes.filter((byte) => byte < 256 - (256 % alphabet.length));
      text += Array.from(fair, (byte) => alphabet[byte % alphabet.length]).join('');
    }
    return text.slice(0, length);
  }

  /** Returns the `SecretString` of an `AWS::SecretsManager::Secret` with resolved properties. */
  secretString(arn: string, properties: unknown): string {
    const { GenerateSecretString: generate } = SecretProperties.parse(properties);
    const alphabet = generate.ExcludePunctuation ? ALPHANUMERIC : ALPHANUMERIC + PUNCTUATION;
    const value = this.derive(arn, generate.PasswordLength, alphabet);
    if (generate.GenerateStringKey === undefined) return value;
    const template = JSON.parse(generate.SecretStringTemplate ?? '{}') as object;
    return JSON.stringify({ ...template, [generate.GenerateStringKey]: value });
  }
}

const ALPHANUMERIC = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/**
 * The supported properties of a secret.
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetRandomPassword.html
 */
export const SecretProperties = z.strictObject({
  Name: z.string().optional(),
  Description: z.string().optional(),
  Tags: noLocalEffect,
  GenerateSecretString: z.strictObject({
    PasswordLength: z.number().default(32),
    ExcludePunctuation: z.boolean().default(false),
    SecretStringTemplate: z.string().optional(),
    GenerateStringKey: z.string().optional(),
  }),
});
