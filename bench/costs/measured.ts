import { readFileSync } from 'node:fs';

/** What a request used, in the units that AWS charges for. */
export interface Calls {
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly s3Reads: number;
  readonly s3Writes: number;
  readonly transitions: number;
  /** Invocations by the name of the function. */
  readonly invocations: Readonly<Record<string, number>>;
}

/** The requests that are measured. */
export const REQUESTS = {
  read: 'GET /api/v1/generations/{id}, which does not count',
  refused: 'a request over the rate limit',
  deploy: 'POST /api/v1/deploy, a new page of 3 files',
  redeploy: 'POST /api/v1/deploy, the 12th version',
  generate: 'POST /api/v1/generate with the embedded provider',
  generateAndDeploy: 'the same with "deploy": true',
  generateWithModel: 'the same with a model that writes for minutes, and is paid within budgets',
  result: 'GET /api/v1/generations/{id}/result',
  visit: 'GET /d/{id}/, which the edge revalidates',
  zip: 'GET /d/{id}.zip',
  canary: 'a run of the canary, with the embedded provider',
} as const;

export type RequestName = keyof typeof REQUESTS;

/** What `npm run costs` measures against the local cloud. */
export interface Measured {
  readonly requests: Readonly<Record<RequestName, Calls>>;
  /** Memory of functions in MB. */
  readonly memoryMb: Readonly<Record<string, number>>;
  /** Resources of the stack that cost something each month. */
  readonly secrets: number;
  readonly alarms: { readonly metrics: number; readonly composites: number };
}

const FILE = new URL('../../docs/costs.json', import.meta.url);

/** The file of the last measurement. */
export const MEASURED_FILE = FILE;

/** Returns the last measurement. */
export const readMeasured = (): Measured => JSON.parse(readFileSync(FILE, 'utf8')) as Measured;
