import { S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { DATA_LIMITS } from '../contract/limits.ts';
import { CLIENT } from '../platform/aws.ts';
import type { Clock } from '../platform/clock.ts';
import { ENV } from '../platform/env.ts';
import type { startExecution as Start } from '../platform/executions.ts';
import { BUILDER_ENV, type Builder, lambdaBuilder } from '../stored/builds/builder.ts';
import type { EndData, OwnedData } from '../stored/data/site-data-table.ts';
import { SiteDataTable } from '../stored/data/site-data-table.ts';
import type { DeploymentSecrets } from '../stored/deployment-owner.ts';
import { deploymentSecrets } from '../stored/deployment-tokens.ts';
import { PointerStore } from '../stored/pointer-store.ts';
import { GeneratedProjects } from '../stored/projects/project-contents.ts';
import { ProjectFileStore } from '../stored/projects/project-file-store.ts';
import { ArchiveStore } from './archive-store.ts';
import { EdgeCopies, InvalidationBudget, withdrawalName } from './copies/edge-copies.ts';
import { DeployerStore } from './deployer-store.ts';
import { GATE_ENV, gateOf, HeldList, type StageGate } from './gate.ts';
import { LOOK_STARTER_ENV, type LookStarter, lookStarter } from './looks/version-looks.ts';
import type { Origins } from './resource.ts';

/** The stores and services of a stage that deploys and operations on deployments use. */
export interface DeployStage extends Origins, DeploymentSecrets {
  readonly pointers: PointerStore;
  readonly archives: ArchiveStore;
  readonly deployers: Pick<DeployerStore, 'note'>;
  readonly held: Pick<HeldList, 'add' | 'takeOff'>;
  readonly copies: EdgeCopies;
  readonly builder: Builder;
  readonly looks: LookStarter;
  /** Undefined if the stage has no gate. */
  readonly gate?: StageGate | undefined;
  /** Undefined if sites of the stage have no data. */
  readonly data?: Pick<OwnedData, 'putRules'> | undefined;
  readonly endData: EndData;
  /** For how long deployments without an owner stay; 0 for ever. */
  readonly anonymousDays: number;
  readonly clock: Clock;
}

/** The environment of functions that deploy, for `readEnv`. */
export const STAGE_ENV = {
  ...BUILDER_ENV,
  ...LOOK_STARTER_ENV,
  ...GATE_ENV,
  [ENV.generationsTable]: z.string(),
  [ENV.generationsBucket]: z.string(),
  [ENV.deploymentsTable]: z.string(),
  [ENV.sitesBucket]: z.string(),
  [ENV.idSecretArn]: z.string(),
  [ENV.tokenSecretArn]: z.string(),
  [ENV.withdrawalArn]: z.string(),
  [ENV.edgeSeconds]: z.coerce.number(),
  [ENV.anonymousDays]: z.coerce.number(),
  [ENV.invalidationsPerMonth]: z.coerce.number(),
  [ENV.siteOrigin]: z.string().optional(),
  [ENV.dataTable]: z.string(),
  [ENV.dataOff]: z.literal('true').optional(),
};

/** Returns the data of sites for functions that create no items: only visitors do. */
export function siteDataTable(table: string, db: DynamoDBDocumentClient, clock: Clock): SiteDataTable {
  return new SiteDataTable({ db, table, clock }, { ...DATA_LIMITS, creationsPerDay: 0 });
}

/** Starts an execution. Loads the client when it is needed: deploys are not to wait for it. */
export const startExecution: typeof Start = async (...start) =>
  (await import('../platform/executions.ts')).startExecution(...start);

/** Returns the stage of a function, the generations that it deploys, and the client of its buckets. */
export function deployStage(
  env: z.output<z.ZodObject<typeof STAGE_ENV>>,
  db: DynamoDBDocumentClient,
  baseUrl: string,
  clock: Clock,
): {
  readonly stage: DeployStage & { readonly data: OwnedData | undefined };
  readonly generations: GeneratedProjects;
  readonly s3: S3Client;
} {
  const s3 = new S3Client(CLIENT);
  const pointers = new PointerStore(db, env.DEPLOYMENTS_TABLE, clock);
  const data = siteDataTable(env.DATA_TABLE, db, clock);
  const stage = {
    pointers,
    archives: new ArchiveStore(s3, env.SITES_BUCKET),
    deployers: new DeployerStore(db, env.DEPLOYMENTS_TABLE),
    held: new HeldList(db, env.DEPLOYMENTS_TABLE),
    copies: new EdgeCopies({
      pointers,
      edgeSeconds: env.EDGE_SECONDS,
      invalidations: new InvalidationBudget(db, env.DEPLOYMENTS_TABLE, env.INVALIDATIONS_PER_MONTH),
      // Named, so that one is started for each deployment and time.
      withdraw: (id, deletedAt, tenants) =>
        startExecution(env.WITHDRAWAL_ARN, withdrawalName({ id, deletedAt }), { id, deletedAt, tenants }),
      clock,
    }),
    builder: lambdaBuilder(env),
    looks: lookStarter(env),
    gate: gateOf(env, { baseUrl, siteOrigin: env.SITE_ORIGIN }),
    data: env.DATA_OFF ? undefined : data,
    endData: (site: string, now: number) => data.endSite(site, now),
    anonymousDays: env.ANONYMOUS_DAYS,
    ...deploymentSecrets(env, clock),
    baseUrl,
    siteOrigin: env.SITE_ORIGIN,
    clock,
  };
  const files = new ProjectFileStore(s3, env.GENERATIONS_BUCKET);
  return { stage, generations: new GeneratedProjects(db, env.GENERATIONS_TABLE, files), s3 };
}
