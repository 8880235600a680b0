import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { noLocalEffect } from './template/schema.ts';

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
    const { GenerateSecretString: generate, SecretString } = SecretProperties.parse(properties);
    if (generate === undefined) return SecretString ?? '';
    const excluded = new Set(generate.ExcludeCharacters);
    const alphabet = Object.entries(CHARACTERS)
      .filter(([kind]) => !generate[`Exclude${kind}` as 'ExcludePunctuation'])
      .map(([, characters]) => characters)
      .join('');
    const allowed = [...alphabet].filter((character) => !excluded.has(character)).join('');
    const value = this.derive(arn, generate.PasswordLength, allowed);
    if (generate.GenerateStringKey === undefined) return value;
    const template = JSON.parse(generate.SecretStringTemplate ?? '{}') as object;
    return JSON.stringify({ ...template, [generate.GenerateStringKey]: value });
  }
}

const CHARACTERS = {
  Lowercase: 'abcdefghijklmnopqrstuvwxyz',
  Uppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  Numbers: '0123456789',
  Punctuation: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
};

/**
 * The supported properties of a secret.
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetRandomPassword.html
 */
export const SecretProperties = z.strictObject({
  Name: z.string().optional(),
  Description: z.string().optional(),
  Tags: noLocalEffect,
  SecretString: z.string().optional(),
  GenerateSecretString: z
    .strictObject({
      PasswordLength: z.number().default(32),
      ExcludeCharacters: z.string().default(''),
      ExcludePunctuation: z.boolean().default(false),
      ExcludeNumbers: z.boolean().default(false),
      ExcludeLowercase: z.boolean().default(false),
      ExcludeUppercase: z.boolean().default(false),
      SecretStringTemplate: z.string().optional(),
      GenerateStringKey: z.string().optional(),
    })
    .optional(),
});
