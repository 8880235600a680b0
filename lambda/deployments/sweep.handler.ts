import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { CLIENT, documentClient } from '../platform/aws.ts';
import { CLOCKS_APART_MS } from '../platform/clock.ts';
import { ENV, readEnv } from '../platform/env.ts';
import { startExecution } from '../platform/executions.ts';
import { PointerStore } from '../stored/pointer-store.ts';
import { deletePastSalts } from '../stored/views.ts';
import { ArchiveStore } from './archive-store.ts';
import { stageDomains } from './domains/custom-domains.ts';
import { DomainStore } from './domains/domain-store.ts';
import { siteDataTable } from './stage.ts';
import { sweep } from './sweep.ts';

const env = readEnv({
  [ENV.deploymentsTable]: z.string(),
  [ENV.sitesBucket]: z.string(),
  [ENV.viewsTable]: z.string().optional(),
  [ENV.dataTable]: z.string(),
  [ENV.domainsArn]: z.string().optional(),
  [ENV.domainTarget]: z.string().optional(),
});
const db = documentClient();
/** A function whose clock is behind shows a page that has ended by others: its files stay as long. */
const lateClock = () => Date.now() - CLOCKS_APART_MS;
const stage = {
  pointers: new PointerStore(db, env.DEPLOYMENTS_TABLE, lateClock),
  archives: new ArchiveStore(new S3Client(CLIENT), env.SITES_BUCKET),
  deleteSalts: async () => (env.VIEWS_TABLE === undefined ? 0 : deletePastSalts(db, env.VIEWS_TABLE, Date.now())),
  customDomains: stageDomains(env, new DomainStore(db, env.DEPLOYMENTS_TABLE), startExecution, Date.now),
  data: siteDataTable(env.DATA_TABLE, db, Date.now),
  clock: Date.now,
};

/** Deletes what has expired; called every hour. */
export const handler = (): Promise<void> => sweep(stage);
