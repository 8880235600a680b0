import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Recorder } from './recorder.ts';
import {
  recordAssets,
  recordBuilds,
  recordClaim,
  recordData,
  recordDeployments,
  recordDomains,
  recordGenerations,
  recordLists,
  recordReports,
  recordStagedDeploys,
  recordUsage,
} from './scenario.ts';

/** A PNG of one pixel. */
const IMAGE = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);

/** The parts of the service that the scenario needs beyond its API. */
interface World {
  /** A provider that does not respond, for the example of a cancellation. */
  readonly slowProvider: string;
  /** Runs `npm run keys` and returns what it prints. */
  readonly keys: (...args: string[]) => Promise<string>;
  /** Sends a body that the service stores, and returns the path of the redirect. */
  readonly stage: (body: string) => Promise<string>;
  /** Stores a picture of a generation: examples are recorded without a browser, too. */
  readonly picture: (generation: string, attempt: number, png: Uint8Array) => Promise<void>;
  /** Stores a picture of a version of a deployment. */
  readonly pictureOfVersion: (deployment: string, version: string, png: Uint8Array) => Promise<void>;
  /** Adds an item to the data of a site as a visitor does. */
  readonly write: (deployment: string, collection: string, fields: object) => Promise<void>;
}

/** Performs the requests of all examples. */
export async function performScenario(
  recorder: Recorder,
  { slowProvider, keys, stage, picture, pictureOfVersion, write }: World,
): Promise<void> {
  const createKey = async (...options: string[]) => (await keys('create', '--name', 'examples', ...options)).trim();
  recorder.define('$PROJECT', randomUUID());
  await recordGenerations(recorder, slowProvider, (id) => picture(id, 1, IMAGE));
  await recordDeployments(recorder, (id, version) => pictureOfVersion(id, version, IMAGE));
  await recordStagedDeploys(recorder, stage);
  await recordBuilds(recorder);
  await recordReports(recorder);
  recorder.define('$KEY', await createKey('--scopes', 'assets:write'));
  await recordAssets(recorder, IMAGE);
  await recordClaim(recorder);
  await recordDomains(recorder);
  await recordData(recorder, write);
  recorder.define('$KEY', await createKey('--scopes', 'assets:write'));
  await recordLists(recorder);
  const key = await createKey();
  recorder.define('$KEY', key);
  const used = () => keys('usage', key.split('_')[1] ?? '');
  await recordUsage(recorder, async (...operations) => {
    for (let table = await used(); !operations.every((name) => table.includes(name)); table = await used())
      await setTimeout(100);
  });
}
