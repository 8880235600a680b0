import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { StoredVersion } from '../../lambda/deployments/archive-store.ts';
import { EdgeCopies, type EdgeCopiesOptions } from '../../lambda/deployments/copies/edge-copies.ts';
import { type ConditionalSender, deploy } from '../../lambda/deployments/deploy.ts';
import { DeployerStore } from '../../lambda/deployments/deployer-store.ts';
import { HeldList } from '../../lambda/deployments/gate.ts';
import { newDeploymentNames } from '../../lambda/deployments/idempotency-store.ts';
import type { VersionLook } from '../../lambda/deployments/looks/version-looks.ts';
import type { DeployStage } from '../../lambda/deployments/stage.ts';
import { acceptSubmission } from '../../lambda/deployments/submission.ts';
import { splitHeader } from '../../lambda/sites/source/build.ts';
import type { Deployment } from '../../lambda/stored/deployment.ts';
import { type Look, type NoLook, packLook, readLookLine } from '../../lambda/stored/looks/looker.ts';
import { PointerStore } from '../../lambda/stored/pointer-store.ts';
import type { IfMatch } from '../../lambda/stored/pointer-update.ts';
import { deploymentSecrets } from './deployment-secrets.ts';
import { indexBy, intercept, startMemoryDynamoDB } from './memory-dynamodb.ts';

/** A stage that deploys, with its calls and with faults on demand. */
export interface World {
  readonly stage: DeployStage;
  /** Returns the stage's copies at the edge with other options. */
  copies(more: Partial<EdgeCopiesOptions>): EdgeCopies;
  /** Returns a deployment, which exists. */
  find(id: string): Promise<Deployment>;
  /** Stored archives by `<id>/<version>`. */
  readonly stored: Map<string, Uint8Array>;
  /** Ids whose copies at the edge were withdrawn, in order. */
  readonly withdrawn: string[];
  /** Looks that were started, in order. */
  readonly looks: VersionLook[];
  /** Returns the number of DynamoDB calls since it was last called. */
  calls(): number;
  /** Makes one operation fail from now on, like an unreachable service. */
  fail(operation: keyof DeployStage['archives'] | 'withdraw' | 'startLook' | undefined): void;
  /** Lets something happen before the next archive is read or stored. */
  meanwhile(step: 'get' | 'put', happen: (id: string) => Promise<unknown>): void;
  now: number;
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
}

class Unreachable extends Error {
  readonly code = 'ECONNREFUSED';
}

/** Starts a world in memory. */
export async function startWorld(): Promise<World> {
  const { db, table } = await startMemoryDynamoDB('deployments', 'id', undefined, indexBy('listOwner'));
  let calls = 0;
  let broken: string | undefined;
  intercept(db, async (call, { input }) => {
    calls++;
    const { UpdateExpression = '' } = input as { UpdateExpression?: string };
    // DynamoDB's quota, which dynalite does not enforce.
    if (UpdateExpression.length > 4_096) throw new Error('Expression size has exceeded the maximum');
    return call();
  });
  const stored = new Map<string, Uint8Array>();
  const withdrawn: string[] = [];
  const looks: VersionLook[] = [];
  const reach = (name: string) => {
    if (broken === name) throw new Unreachable(`${name} is unreachable`);
  };
  const archives = {
    put: async (id: string, version: string, archive: Uint8Array, built?: Uint8Array) => {
      reach('put');
      stored.set(`${id}/${version}`, archive);
      if (built) stored.set(`${id}/${version}.built`, built);
    },
    get: async (id: string, version: string) => {
      reach('get');
      return stored.get(`${id}/${version}`);
    },
    report: async (id: string, version: string) => {
      const built = stored.get(`${id}/${version}.built`);
      return built && splitHeader(built).header;
    },
    site: async (id: string, { version }: { version: string }) => stored.get(`${id}/${version}`),
    putLook: async (id: string, version: string, look: Look | NoLook) => {
      stored.set(`${id}/${version}.look`, packLook(look));
    },
    look: async (id: string, version: string) => {
      const look = stored.get(`${id}/${version}.look`);
      return look && readLookLine(look);
    },
    deleteLook: async (id: string, version: string) => {
      stored.delete(`${id}/${version}.look`);
    },
    delete: async (id: string, versions: readonly StoredVersion[]) => {
      reach('delete');
      for (const { version, built } of versions) {
        stored.delete(`${id}/${version}`);
        stored.delete(`${id}/${version}.look`);
        if (built !== undefined) stored.delete(`${id}/${version}.built`);
      }
    },
  };
  const pointers = new PointerStore(db, table, () => world.now);
  const copies = (more: Partial<EdgeCopiesOptions>) =>
    new EdgeCopies({
      pointers,
      edgeSeconds: 0,
      invalidations: { take: async () => true },
      withdraw: async (id) => {
        reach('withdraw');
        withdrawn.push(id);
      },
      clock: () => world.now++,
      ...more,
    });
  const world: World = {
    copies,
    stage: {
      archives: archives as unknown as DeployStage['archives'],
      pointers,
      held: new HeldList(db, table),
      copies: copies({}),
      deployers: new DeployerStore(db, table),
      endData: async () => {},
      anonymousDays: 30,
      builder: {
        build: async () => {
          throw new Error('Only source is built');
        },
      },
      looks: {
        skipped: undefined,
        start: async (look) => {
          reach('startLook');
          looks.push(look);
        },
      },
      clock: () => world.now++,
      ...deploymentSecrets(),
      baseUrl: 'https://ptp.example.com',
    },
    find: async (id) => {
      const found = await pointers.find(id);
      if (!found) throw new Error(`${id} does not exist`);
      return found;
    },
    stored,
    withdrawn,
    looks,
    calls: () => {
      const count = calls;
      calls = 0;
      return count;
    },
    fail: (name) => {
      broken = name;
    },
    meanwhile: (step, happen) => {
      const original: (id: string, ...rest: never[]) => Promise<unknown> = archives[step];
      const once = async (id: string, ...rest: never[]) => {
        Object.assign(archives, { [step]: original });
        await happen(id);
        return original(id, ...rest);
      };
      Object.assign(archives, { [step]: once });
    },
    now: 1_800_000_000_000,
    db,
    table,
  };
  return world;
}

/** Returns who sends a deploy, without a condition unless `more` has one. */
export const senderOf = (owner: string, more: Partial<ConditionalSender> = {}): ConditionalSender => ({
  owner,
  tenant: owner,
  deployer: undefined,
  token: undefined,
  ifMatch: undefined,
  ...more,
});

/** Deploys one page under a projectId. */
export function deployPage(
  { stage }: Pick<World, 'stage'>,
  title: string,
  {
    owner = 'anonymous',
    projectId,
    ifMatch,
    token,
    names = newDeploymentNames(),
    script,
    deployer,
  }: {
    owner?: string;
    projectId?: string;
    ifMatch?: IfMatch;
    token?: string;
    names?: ReturnType<typeof newDeploymentNames>;
    /** The path of another file. */
    script?: string;
    deployer?: string;
  },
) {
  const files = [{ path: 'index.html', content: `<title>${title}</title>` }];
  if (script !== undefined) files.push({ path: script, content: '' });
  return deploy(acceptSubmission({ files, projectId }), senderOf(owner, { ifMatch, token, deployer }), names, stage);
}
