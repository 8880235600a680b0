import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OperatorFile } from '../../../local/cloud/cloud.ts';
import { startVariant, type Variant } from './variant.ts';

/** Returns the host of API Gateway's own address for a service. */
export function apiGatewayHost({ stateDir }: { readonly stateDir: string }): string {
  const file = readFileSync(join(stateDir, 'operator.json'), 'utf8');
  const { outputs } = JSON.parse(file) as OperatorFile;
  return new URL(Object.values(outputs).find((value) => value.includes('.execute-api.')) ?? '').host;
}

/** Starts a service that serves API Gateway's own address as well. */
export function startWithDoor(): Promise<Variant> {
  return startVariant({ API_GATEWAY_DOOR: true });
}
