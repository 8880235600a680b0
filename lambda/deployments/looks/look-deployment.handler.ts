import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { CLIENT, documentClient } from '../../platform/aws.ts';
import { ENV, readEnv } from '../../platform/env.ts';
import { log, logAbout } from '../../platform/log.ts';
import { BROWSERS_BUSY } from '../../stored/looks/looker.ts';
import { LOOKER_ENV, lambdaLooker } from '../../stored/looks/stage-looker.ts';
import { PointerStore } from '../../stored/pointer-store.ts';
import { ArchiveStore } from '../archive-store.ts';
import { lookAtVersion, storeLook, type VersionLook } from './version-looks.ts';

const env = readEnv({ ...LOOKER_ENV, [ENV.deploymentsTable]: z.string(), [ENV.sitesBucket]: z.string() });
const stage = {
  pointers: new PointerStore(documentClient(), env.DEPLOYMENTS_TABLE),
  archives: new ArchiveStore(new S3Client(CLIENT), env.SITES_BUCKET),
  // The state machine tries again: a look that waits here would hold one of the few instances.
  looker: lambdaLooker(env, 0),
};

/** The errors of a look that found no free browser, or no free instance of this function. */
const BUSY = ['BrowsersBusy', 'Lambda.TooManyRequestsException'];

/** The state after the last retry of a look. */
interface GivenUp extends VersionLook {
  readonly error: { readonly Error: string };
}

/** Looks at a version that became live; with an error, stores why that failed instead. */
export const handler = async (event: VersionLook | GivenUp): Promise<void> => {
  logAbout({ deployment: event.id, version: event.version });
  if (!('error' in event)) return lookAtVersion(event, stage);
  const { error } = event;
  log.error('not looked', { error });
  const reason = BUSY.includes(error.Error) ? BROWSERS_BUSY : 'The look was interrupted';
  await storeLook(event, { state: 'failed', reason }, stage);
};
