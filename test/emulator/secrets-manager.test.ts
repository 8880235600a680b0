import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Secrets, SecretsManager } from '../../local/cloud/secrets-manager.ts';
import { emptyFolder } from '../support/at-end.ts';

const ARN = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:one-abcdef';
const properties = {
  GenerateSecretString: { PasswordLength: 20, SecretStringTemplate: '{}', GenerateStringKey: '1' },
};

const stateDir = emptyFolder();

/** A Secrets Manager as a start of the local cloud makes it. */
function started(): SecretsManager {
  const manager = new SecretsManager(new Secrets(stateDir), stateDir, (id) => id);
  manager.add([{ ref: ARN, properties }]);
  return manager;
}

it('generates the same first value at each start', () => {
  const first = started().get(ARN);
  expect(JSON.parse(first.SecretString)).toEqual({ 1: expect.stringMatching(/^.{20}$/) });
  expect(started().get(ARN)).toEqual(first);
});

it('keeps values that were put over a restart, for functions and for CloudFormation', () => {
  started().putValue(ARN, 'put');
  const restarted = started();
  expect(restarted.get(ARN).SecretString).toBe('put');
  expect(restarted.current(ARN, properties)).toBe('put');
  expect(statSync(join(stateDir, 'secrets.json')).mode & 0o777).toBe(0o600);
});

it('requires the version that has a label in order to move it', () => {
  const manager = started();
  const { VersionId } = manager.putValue(ARN, 'pending', ['AWSPENDING']);
  for (const from of [undefined, VersionId])
    expect(() => manager.moveStage(ARN, 'AWSCURRENT', VersionId, from)).toThrow(
      expect.objectContaining({ name: 'InvalidParameterException' }),
    );
  expect(() => manager.moveStage(ARN, 'AWSPENDING', 'none', VersionId)).toThrow(
    expect.objectContaining({ name: 'ResourceNotFoundException' }),
  );
});

it('puts a version once per token', () => {
  const manager = started();
  const token = 't'.repeat(32);
  const put = manager.putValue(ARN, 'value', ['AWSCURRENT'], token);
  expect(manager.putValue(ARN, 'value', ['AWSCURRENT'], token)).toEqual(put);
  expect(() => manager.putValue(ARN, 'other', ['AWSCURRENT'], token)).toThrow(
    expect.objectContaining({ name: 'ResourceExistsException' }),
  );
});

it('has no value of a label that no version has, or of an unknown secret', () => {
  const manager = started();
  for (const read of [() => manager.get(ARN, 'AWSPENDING'), () => manager.get('PTP_NO_SUCH_SECRET')])
    expect(read).toThrow(expect.objectContaining({ name: 'ResourceNotFoundException' }));
});
